/** This server with the pet store's contract, as createServer composes it, with handlers that answer with constants. No database. */
import type { Server } from 'node:http';
import {
  bearer,
  createLogger,
  createMemoryStore,
  createServer as createContractServer,
  type PlanTable,
  type ServerOptions,
} from '@specwright/server';
import type { ContractTypes, Handlers } from '../../../generated/contract.ts';
import { loadPetStoreContract, unmeasuredHandlers } from './petstore-contract.ts';
import { createMiddleware, mountInExpress, type MiddlewareName, type Mount } from './petstore-hosts.ts';
import { REQUEST_TIMEOUT_MS } from './request-timeout.ts';

/** What a variant leaves out or adds: set by servers.ts. */
export interface Variant {
  readonly log?: boolean;
  readonly limits?: boolean;
  readonly responseValidation?: boolean;
  readonly use?: readonly MiddlewareName[];
  /** In an Express application, below a path. */
  readonly mount?: Mount;
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

const variant = JSON.parse(process.env['VARIANT'] ?? '{}') as Variant;

export async function createServer(): Promise<Server> {
  const options = await createOptions();
  return variant.mount === undefined ? createContractServer(options) : mountInExpress(options, variant.mount);
}

/** What `createServer` and `createRequestHandler` take, for the variant that is measured. */
export async function createOptions(): Promise<ServerOptions<ContractTypes, Caller>> {
  const { log = false, limits = true, responseValidation = true, use } = variant;
  const contract = await loadPetStoreContract(process.env['SPEC'] ?? '', { limits });
  return {
    contract,
    handlers: { ...unmeasuredHandlers<Caller>(contract), ...handlers },
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
    ...(use && { use: createMiddleware(use) }),
  };
}
