/** Serves a contract without a project: the pipeline of a service, with a mock behind it. */
import type { Server } from 'node:http';
import {
  addMockHeader,
  ALL_SCOPES,
  apiKey,
  createServer,
  loadContract,
  notImplemented,
  type Contract,
  type DocsOptions,
  type Log,
  type PlanTable,
  type Quota,
} from '@specwright/server';
import {
  assertSchemasCompile,
  checkDocument,
  ContractError,
  operationTable,
  rateLimitPlans,
  readDocument,
} from '@specwright/contract/document';
import { createMock, type ContractMock, type MockOptions } from './create-mock.ts';
import { createMemoryIdempotency, type MockCaller } from './memory-idempotency.ts';
import { MAX_DELAY_MS } from './prefer.ts';

/** Time for a delay that was asked for, and for the answer. */
const REQUEST_TIMEOUT_MS = MAX_DELAY_MS + 5000;

export interface MockServer {
  readonly server: Server;
  readonly contract: Contract;
  readonly mock: ContractMock;
}

export interface MockServerOptions extends MockOptions {
  readonly log: Log;
  /** Further options of `createServer`. */
  readonly server?: {
    readonly docs?: boolean | DocsOptions;
    readonly maxBodyBytes?: number;
    readonly cors?: { readonly origins: readonly string[] } | undefined;
  };
}

/** @throws ContractError with everything for which the document cannot be served. */
export async function createMockServer(file: string, { log, server: given = {}, ...options }: MockServerOptions): Promise<MockServer> {
  const contract = await loadDocument(file);
  const mock = createMock(contract, options);
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => notImplemented(id)]));
  const schemes = new Set(contract.operations.flatMap(({ requirements }) => requirements.flat().map(({ name }) => name)));
  // Any credentials in the form that the scheme has, with every scope.
  const security = Object.fromEntries([...schemes].map((name) => [name, apiKey((id: string): MockCaller => ({ id, scopes: ALL_SCOPES }))]));
  const plans = contract.rateLimitPlans && generous(contract.rateLimitPlans);
  const server = createServer({
    docs: true,
    ...given,
    contract,
    handlers: handlers as never,
    security: security as never,
    mock,
    idempotency: createMemoryIdempotency(handlers),
    steps: { before: [addMockHeader] },
    rateLimit: plans && { plans, subject: ({ id }: MockCaller) => ({ bucket: `caller:${id}`, quota: plans.address }) },
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    log,
  });
  return { server, contract, mock };
}

async function loadDocument(file: string): Promise<Contract> {
  const source = readDocument(file);
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  assertSchemasCompile(source);
  const { digest, document } = source;
  return loadContract(file, { digest, operations: operationTable(document), rateLimitPlans: rateLimitPlans(document) });
}

/** The quota of the plan with the most requests, for everybody: whose plan it would be is not known. */
function generous({ plans, address }: PlanTable): PlanTable {
  const quotas: readonly Quota[] = [...Object.values(plans), address];
  const most = quotas.reduce((best, one) => (one.minute > best.minute ? one : best), address);
  return { plans, address: { minute: most.minute, day: most.day } };
}
