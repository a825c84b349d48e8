/**
 * Type proofs of the pet store. Those of handlers in general are in `packages/server/test/types`.
 *
 * `npm run typecheck` fails if one of them does not hold. Nothing here is run.
 */
import type { Database } from '@specwright/postgres';
import type { Handlers as ServerHandlers } from '@specwright/server';
import type { Context, Handlers, Input, Schemas } from '../../generated/contract.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { createHandlers } from '../../src/handlers/index.ts';
import type { Caller } from '../../src/security.ts';
import type { PetStoreTypes } from '../../src/sign-ups.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const prove = <T extends true>(value?: T) => value;

// Every operation has a handler.
export const complete = (handlers: Required<ReturnType<typeof createHandlers>>): Handlers<Caller, Database> => handlers;
// Without sign-ups by mail their operations have none, and the others have.
export const open = (handlers: ReturnType<typeof createHandlers>): ServerHandlers<PetStoreTypes, Caller, Database> => handlers;
// @ts-expect-error the whole contract needs them all
export const incomplete = (handlers: ReturnType<typeof createHandlers>): Handlers<Caller, Database> => handlers;

// POST /accounts is open to all: there is no caller.
prove<Equal<Context<'createAccount', Caller>['caller'], undefined>>();
prove<Equal<Context<'getAccount', Caller>['caller']['accountId'], number>>();

// A handler may read the key of a retry; that the response is a replay is the pipeline's to say.
prove<Equal<Input<'createOrder'>['headers']['Idempotency-Key'], string | undefined>>();
export const createOrder: Handlers<Caller>['createOrder'] = (_input, reply) =>
  // @ts-expect-error the header is not a handler's to give
  reply(201, { headers: { Location: '/', ETag: '"1"', 'Idempotent-Replayed': 'true' }, body: { id: 1 } });

// Every error code of the program is in the contract. The contract may have one that nothing answers with yet.
export const declared = (code: ErrorCode): Schemas['ErrorCode'] => code;
