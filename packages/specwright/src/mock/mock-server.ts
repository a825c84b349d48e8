/** Serves a contract without a project: the pipeline of a service, with a mock behind it. */
import type { Server } from 'node:http';
import {
  ContractError,
  type ReadOptions,
  assertSchemasCompile,
  checkDocument,
  operationTable,
  rateLimitPlans,
  readDocument,
} from '@specwright/contract/document';
import {
  ALL_SCOPES,
  type Contract,
  type DocsOptions,
  FrameworkError,
  type IdempotencyStore,
  type Log,
  type PlanTable,
  type Quota,
  type UnvalidatedResponse,
  addMockHeader,
  apiKey,
  createServer,
  loadContract,
  notImplemented,
} from '@specwright/server';
import { type ContractMock, type MockOptions, createMock } from './create-mock.ts';
import { MAX_DELAY_MS } from './mock-body.ts';

/** Time for a delay that was asked for, and for the answer. */
const REQUEST_TIMEOUT_MS = MAX_DELAY_MS + 5000;

export interface MockServer {
  readonly server: Server;
  readonly contract: Contract;
  readonly mock: ContractMock;
}

export interface MockServerOptions extends MockOptions, ReadOptions {
  readonly log: Log;
  /** Further options of `createServer`. */
  readonly server?: {
    readonly docs?: boolean | DocsOptions;
    readonly maxBodyBytes?: number;
    readonly cors?: { readonly origins: readonly string[] } | undefined;
  };
}

/** @throws ContractError with everything for which the document cannot be served. */
export async function createMockServer(
  file: string,
  { log, server: given = {}, allowOutside, ...options }: MockServerOptions,
): Promise<MockServer> {
  const contract = await loadDocument(file, { allowOutside });
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
    idempotency: createMemoryIdempotency(),
    steps: { before: [addMockHeader] },
    rateLimit: plans && { plans, subject: ({ id }: MockCaller) => ({ bucket: `caller:${id}`, quota: plans.address }) },
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    log,
  });
  return { server, contract, mock };
}

async function loadDocument(file: string, options: ReadOptions): Promise<Contract> {
  const source = readDocument(file, options);
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  assertSchemasCompile(source);
  const { digest, document } = source;
  return loadContract(file, { digest, operations: operationTable(document), rateLimitPlans: rateLimitPlans(document) }, options);
}

/** The quota of the plan with the most requests, for everybody: whose plan it would be is not known. */
function generous({ plans, address }: PlanTable): PlanTable {
  const quotas: readonly Quota[] = [...Object.values(plans), address];
  const most = quotas.reduce((best, one) => (one.minute > best.minute ? one : best), address);
  return { plans, address: { minute: most.minute, day: most.day } };
}

/** Who calls a mock: the caller that the credentials name, with every scope. */
interface MockCaller {
  readonly id: string;
  readonly scopes: typeof ALL_SCOPES;
}

/** The oldest are forgotten beyond it. */
const MAX_KEYS = 10_000;

function createMemoryIdempotency(): IdempotencyStore<unknown, MockCaller> {
  const answered = new Map<string, { readonly fingerprint: string; readonly response: Promise<UnvalidatedResponse> }>();
  return {
    async run({ caller, address, key, fingerprint }, work) {
      const name = JSON.stringify([caller?.id ?? address, key]);
      const known = answered.get(name);
      const print = fingerprint.toString('hex');
      if (known !== undefined) {
        if (known.fingerprint !== print)
          throw new FrameworkError('idempotency_key_reused', 'header/Idempotency-Key was used for another request: send a new key');
        return { response: await known.response, isReplay: true };
      }
      const response = work(undefined);
      answered.set(name, { fingerprint: print, response });
      const [oldest] = answered.size > MAX_KEYS ? answered.keys() : [];
      if (oldest !== undefined) answered.delete(oldest);
      try {
        return { response: await response, isReplay: false };
      } catch (error) {
        answered.delete(name);
        throw error;
      }
    },
  };
}

/** @param rows operations, and what each does. */
export function formatMockTable(rows: readonly (readonly [operation: string, does: string])[]): string {
  const width = Math.max(0, ...rows.map(([operation]) => operation.length));
  return rows.map(([operation, does]) => `  ${operation.padEnd(width)}  ${does}\n`).join('');
}
