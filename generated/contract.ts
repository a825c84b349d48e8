/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */
import type * as server from '@specwright/server';
import type { bodyDefaults, components, operations as OperationTypes } from './openapi.ts';
import { operations, rateLimitPlans, specDigest } from './operations.ts';

/** What the types of @specwright/server are instantiated with. */
export interface ContractTypes {
  readonly schemas: components['schemas'];
  readonly operations: OperationTypes;
  readonly bodyDefaults: bodyDefaults;
  readonly table: typeof operations;
  readonly rateLimitPlans: typeof rateLimitPlans;
}

/** What `loadContract` compares the spec with. */
export const contract: server.GeneratedContract<ContractTypes> = { operations, digest: specDigest, rateLimitPlans };
export { rateLimitPlans };

export type OperationId = server.OperationId<ContractTypes>;
/** The named schemas of the spec. */
export type Schemas = components['schemas'];
/** A request of an operation, after validation, coercion and defaults. */
export type Input<Op extends OperationId> = server.Input<ContractTypes, Op>;
/** Builds the responses that an operation declares. */
export type Reply<Op extends OperationId> = server.Reply<ContractTypes, Op>;
export type Status<Op extends OperationId> = server.Status<ContractTypes, Op>;
export type Payload<Op extends OperationId, S> = server.Payload<ContractTypes, Op, S>;
/** What a handler gets beside its input. `Caller` is what the authenticators return, `Db` the option `db` of the server. */
export type Context<Op extends OperationId, Caller = unknown, Db = unknown> = server.Context<ContractTypes, Op, Caller, Db>;
export type Handler<Op extends OperationId, Caller = unknown, Db = unknown> = server.Handler<ContractTypes, Op, Caller, Db>;
/** One handler for each operation. */
export type Handlers<Caller = unknown, Db = unknown> = server.Handlers<ContractTypes, Caller, Db>;
/** One authenticator for each security scheme. */
export type Security<Caller> = server.Security<ContractTypes, Caller>;
