/** This server with the pet store's contract, as createServer composes it, with handlers that answer with constants. No database. */
import type { Server } from 'node:http';
import { bearer, createLogger, createServer as createContractServer, loadContract, type PlanTable } from '@specwright/server';
import { createMemoryStore } from '@specwright/server/limits';
import { contract as generated, type ContractTypes, type Handlers } from '../../generated/contract.ts';
import { PAGE_SIZE } from './operations.ts';
import { REQUEST_TIMEOUT_MS } from './request-timeout.ts';

/** What a variant adds or leaves out: set by servers.ts. */
export interface Variant {
  readonly log?: boolean;
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

const PET = { id: 7, name: 'Rex', categoryId: 1, status: 'available' } as const;
const PAGE = Array.from({ length: PAGE_SIZE }, () => PET);

const handlers: Pick<Handlers<Caller>, 'getStorePet' | 'createPet' | 'listPets'> = {
  getStorePet: async (_input, reply) => reply(200, { headers: { ETag: ETAG }, body: PET }),
  createPet: async ({ body }, reply) => reply(201, { headers: { Location: '/store/pets/7', ETag: ETAG }, body: { id: 7, ...body } }),
  listPets: async (_input, reply) => reply(200, { body: PAGE }),
};

export async function createServer(): Promise<Server> {
  const { SPEC: spec = '', VARIANT = '{}' } = process.env;
  const { log = false, responseValidation = true } = JSON.parse(VARIANT) as Variant;
  const contract = await loadContract(spec, generated);
  const fail = async () => {
    throw new Error('this operation is not measured');
  };
  const others = Object.fromEntries(contract.operations.map(({ id }) => [id, fail])) as unknown as Handlers<Caller>;
  return createContractServer<ContractTypes, Caller>({
    contract,
    handlers: { ...others, ...handlers },
    security: { bearerAuth: bearer(async () => CALLER, 'API key') },
    realm: 'petstore',
    errors: { type: 'application/json', body: (error) => error },
    rateLimit: {
      store: createMemoryStore(),
      plans: PLANS,
      subject: ({ accountId }) => ({ bucket: `account:${accountId}`, quota: UNREACHABLE_QUOTA }),
    },
    responseValidation: responseValidation ? 'strict' : 'off',
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    log: createLogger(log ? 'info' : 'silent'),
    logCaller: ({ accountId }) => ({ accountId }),
  });
}
