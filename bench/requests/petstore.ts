/** This server with the pet store's contract, as createServer composes it, with handlers that answer with constants. No database. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import {
  bearer,
  createLogger,
  createMemoryStore,
  createServer as createContractServer,
  loadContract,
  operationTable,
  parseSource,
  type Contract,
  type PlanTable,
} from '@specwright/server';
import { contract as generated, type ContractTypes, type Handlers } from '../../generated/contract.ts';

/** What a variant leaves out or adds: set by servers.ts. */
export interface Variant {
  readonly log?: boolean;
  readonly limits?: boolean;
  readonly responseValidation?: boolean;
}

interface Caller {
  readonly accountId: number;
}

const UNREACHABLE_QUOTA = { minute: 1_000_000_000, day: 1_000_000_000 };
const PLANS: PlanTable = {
  plans: { free: UNREACHABLE_QUOTA, pro: UNREACHABLE_QUOTA, business: UNREACHABLE_QUOTA, enterprise: UNREACHABLE_QUOTA },
  address: UNREACHABLE_QUOTA,
};

const CALLER: Caller = { accountId: 1 };
const ETAG = '"1"';

const handlers: Pick<Handlers<Caller>, 'getStorePet' | 'createPet'> = {
  getStorePet: async (_input, reply) =>
    reply(200, { headers: { ETag: ETAG }, body: { id: 7, name: 'Rex', categoryId: 1, status: 'available' } }),
  createPet: async ({ body }, reply) => reply(201, { headers: { Location: '/store/pets/7', ETag: ETAG }, body: { id: 7, ...body } }),
};

export async function createServer(): Promise<Server> {
  const { SPEC: spec = '', VARIANT = '{}' } = process.env;
  const { log = false, limits = true, responseValidation = true } = JSON.parse(VARIANT) as Variant;
  const contract = limits ? await loadContract(spec, generated) : await withoutLimits(spec);
  return createContractServer<ContractTypes, Caller>({
    contract,
    handlers: { ...notMeasured(contract), ...handlers },
    security: { bearerAuth: bearer(async () => CALLER, 'API key') },
    realm: 'petstore',
    errors: { type: 'application/json', body: (error) => error },
    rateLimit: {
      store: createMemoryStore(),
      plans: PLANS,
      subject: ({ accountId }) => ({ bucket: `account:${accountId}`, quota: UNREACHABLE_QUOTA }),
    },
    responseValidation: responseValidation ? 'strict' : 'off',
    log: createLogger(log ? 'info' : 'silent'),
    logCaller: ({ accountId }) => ({ accountId }),
  });
}

/** A handler for every other operation: nobody calls them. */
function notMeasured({ operations }: Contract<ContractTypes>): Handlers<Caller> {
  const fail = async () => {
    throw new Error('only getStorePet and createPet are measured');
  };
  return Object.fromEntries(operations.map(({ id }) => [id, fail])) as unknown as Handlers<Caller>;
}

interface Limited {
  'x-rate-limit-plans'?: unknown;
  components: { headers: Record<string, { required?: boolean }> };
}

/** The same contract without `x-rate-limit-plans`, in which the headers of the limits are optional. */
async function withoutLimits(spec: string): Promise<Contract<ContractTypes>> {
  const document = parse(await readFile(spec, 'utf8')) as Limited;
  delete document['x-rate-limit-plans'];
  for (const [name, header] of Object.entries(document.components.headers)) if (/RateLimit/.test(name)) delete header.required;
  const text = stringify(document, { aliasDuplicateObjects: false });
  const { document: parsed, digest } = parseSource('spec.yaml', text);
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'spec.yaml');
    await writeFile(file, text);
    const table = { digest, operations: operationTable(parsed) } as unknown as typeof generated;
    return await loadContract(file, table);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
