/** The typed line: what a handler receives and what it may answer, per operation, derived from `generated/`. */
import type { components, operations as Generated } from '../../../../generated/openapi.ts';
import type { operations as Table, rateLimitPlans } from '../../../../generated/operations.ts';
import type { Caller } from '../../../../src/caller.ts';
import type { RATE_LIMIT_HEADERS, FRAMEWORK_HEADERS } from './framework-headers.ts';
import type { HandlerResponse } from './handler-response.ts';

export type OperationId = keyof typeof Table;

type HasLimits = typeof rateLimitPlans extends null ? false : true;

/** The named schemas of the document. */
export type Schemas = components['schemas'];

/** The schemes that the document's security requirements name. */
export type SecurityScheme = (typeof Table)[OperationId]['security'][number][number];

type Row<Op extends OperationId> = (typeof Table)[Op];
type Source<Op extends OperationId> = Generated[Op];

// ---- Input -------------------------------------------------------------------------------------------------------

/** Neither properties nor a ban on them: what an absent part of an operation is. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
type Nothing = {};
type Expand<T> = { [K in keyof T]: T[K] };
type Declared<T> = [T] extends [undefined] ? Nothing : NonNullable<T>;

/** Parameters after defaults: one that has a default is always there. */
type Filled<T, Names> = Expand<
  { [K in keyof T as K extends Names ? K : never]-?: Exclude<T[K], undefined> } & {
    [K in keyof T as K extends Names ? never : K]: T[K];
  }
>;

/** What a client may write: `readOnly` properties are refused in requests (OpenAPI 3.0.3, section 4.7.24.2). */
type Written<T> = T extends { readonly $read: unknown }
  ? never
  : T extends { readonly $write: infer U }
    ? Written<U>
    : T extends readonly (infer E)[]
      ? Written<E>[]
      : T extends object
        ? { [K in keyof T as NonNullable<T[K]> extends { readonly $read: unknown } ? never : K]: Written<T[K]> }
        : T;

/** What a server may say: `writeOnly` properties never leave it. */
type Read<T> = T extends { readonly $write: unknown }
  ? never
  : T extends { readonly $read: infer U }
    ? Read<U>
    : T extends readonly (infer E)[]
      ? Read<E>[]
      : T extends object
        ? { [K in keyof T as NonNullable<T[K]> extends { readonly $write: unknown } ? never : K]: Read<T[K]> }
        : T;

/** A media type whose bodies are JSON values, by `bodyKind` in contract/media.ts; ranges are served as JSON. */
type IsJson<T> = T extends `${string}/json${string}` | `${string}+json${string}` | '*/*' | 'application/*' ? true : false;

/** What reaches a handler: a value that is validated, or else the text or the bytes as they came. */
type Given<T, V> =
  IsJson<T> extends true
    ? Written<V>
    : T extends `application/x-www-form-urlencoded${string}`
      ? Written<V>
      : T extends `text/${string}`
        ? string
        : Buffer;

type Contents<T> = T extends { content: infer C } ? { [K in keyof C]: Given<K, C[K]> }[keyof C] : never;
type Body<T> = [T] extends [undefined] ? undefined : undefined extends T ? Contents<NonNullable<T>> | undefined : Contents<T>;

/**
 * A request of the operation after validation, coercion and defaults.
 *
 * `path`, `query`, `headers` and `cookies` hold exactly the declared parameters under their declared names.
 */
export interface Input<Op extends OperationId> {
  readonly path: Expand<Declared<Source<Op>['parameters']['path']>>;
  readonly query: Filled<Declared<Source<Op>['parameters']['query']>, Row<Op>['defaults']['query'][number]>;
  readonly headers: Filled<Declared<Source<Op>['parameters']['header']>, Row<Op>['defaults']['header'][number]>;
  readonly cookies: Filled<Declared<Source<Op>['parameters']['cookie']>, Row<Op>['defaults']['cookie'][number]>;
  readonly body: Body<Source<Op>['requestBody']>;
}

// ---- Reply -------------------------------------------------------------------------------------------------------

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends `${infer Hundred extends 1 | 2 | 3 | 4 | 5}XX`
    ? `${Hundred}${Digit}${Digit}` extends `${infer Status extends number}`
      ? Status
      : never
    : Key extends 'default'
      ? number
      : never;

type Responses<Op extends OperationId> = Source<Op>['responses'];

/** The statuses that the operation declares; a range `4XX` stands for its hundred, `default` for any. */
export type Status<Op extends OperationId> = StatusOf<keyof Responses<Op>>;

/** The key of `responses` that rules a status: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
type KeyFor<Op extends OperationId, S> = S extends keyof Responses<Op>
  ? S
  : `${S & number}` extends `${infer Hundred}${Digit}${Digit}`
    ? `${Hundred}XX` extends keyof Responses<Op>
      ? `${Hundred}XX`
      : 'default' & keyof Responses<Op>
    : never;

type Key = string | number | symbol;
type Lookup<T, K extends Key> = K extends keyof T ? T[K] : `${K & number}` extends keyof T ? T[`${K & number}`] : never;

type HeaderTypes<T> = T extends { headers: infer H } ? { [K in keyof H as string extends K ? never : K]: H[K] } : Nothing;
type HeaderFlags<Op extends OperationId, K extends Key> =
  Lookup<Row<Op>['responses'], K> extends { headers: infer Flags } ? Flags : Nothing;

type RateLimitHeader = (typeof RATE_LIMIT_HEADERS)[number];
type FrameworkHeader = Exclude<(typeof FRAMEWORK_HEADERS)[number] | RateLimitHeader, HasLimits extends true ? never : RateLimitHeader>;

/** `Link` to the successor is written by the line, so where there is one a handler may but need not give `Link`. */
type WrittenByFramework<Op extends OperationId> = Row<Op>['deprecation'] extends { readonly successor: string } ? 'Link' : never;

/** The headers that a handler must give. Read from the table: openapi-typescript makes every `$ref`d header required. */
type RequiredHeader<Op extends OperationId, K extends Key> = {
  [N in keyof HeaderFlags<Op, K>]: HeaderFlags<Op, K>[N] extends true ? Exclude<N, FrameworkHeader | WrittenByFramework<Op>> : never;
}[keyof HeaderFlags<Op, K>];

type Headers<Op extends OperationId, K extends Key, H = HeaderTypes<Lookup<Responses<Op>, K>>> = Expand<
  { [N in keyof H as N extends RequiredHeader<Op, K> ? N : never]: NonNullable<H[N]> } & {
    [N in keyof H as N extends RequiredHeader<Op, K> | FrameworkHeader ? never : N]?: H[N] | undefined;
  }
>;

type WithHeaders<H> = [keyof H] extends [never] ? { headers?: never } : Nothing extends H ? { headers?: H } : { headers: H };

type Content<T> = T extends { content: infer C } ? ([C] extends [undefined] ? never : NonNullable<C>) : never;

/** With one media type it is implied; with several the reply says which. */
type WithBody<C> = [C] extends [never]
  ? { body?: never; type?: never }
  : {
      [T in keyof C]: { body: IsJson<T> extends true ? Read<C[T]> : string | Buffer } & (IsUnion<keyof C> extends true
        ? { type: T }
        : { type?: T });
    }[keyof C];

type IsUnion<T, Whole = T> = [T] extends [never] ? false : T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** What a status of the operation is answered with: body, headers and, where there is a choice, media type. */
export type Payload<Op extends OperationId, S> = Expand<
  WithHeaders<Headers<Op, KeyFor<Op, S> & Key>> & WithBody<Content<Lookup<Responses<Op>, KeyFor<Op, S> & Key>>>
>;

type Rest<P> = Nothing extends P ? [payload?: P] : [payload: P];

/**
 * Builds a response of the operation.
 *
 * Responses are built by a call because TypeScript checks excess properties of arguments, not of what an arrow
 * function returns; and only this call makes a `HandlerResponse`, so a handler cannot return anything else.
 */
export type Reply<Op extends OperationId> = <S extends Status<Op>>(status: S, ...payload: Rest<Payload<Op, S>>) => HandlerResponse<Op>;

// ---- Handlers ----------------------------------------------------------------------------------------------------

/** How much of a window is left. `ends` is in ms since the epoch. */
export interface RateLimitWindow {
  readonly limit: number;
  readonly remaining: number;
  readonly ends: number;
}

/** What the line has found out about the caller's limits. Moments in ms since the epoch. */
export interface RateLimits {
  readonly now: number;
  readonly windows: { readonly minute: RateLimitWindow; readonly day: RateLimitWindow };
  readonly ban?: { readonly until: number };
}

type Requirement<Op extends OperationId> = Row<Op>['security'][number];

/** Operations that are open to all have no caller; where credentials are optional, there may be none. */
type CallerOf<Op extends OperationId> = [Requirement<Op>] extends [never]
  ? undefined
  : Caller | ([Extract<Requirement<Op>, readonly []>] extends [never] ? never : undefined);

/** What a handler knows about the request beside its input. */
export interface Context<Op extends OperationId> {
  readonly requestId: string;
  readonly now: Date;
  /** A contract without `x-rate-limit-plans` has none. */
  readonly limits: HasLimits extends true ? RateLimits : undefined;
  readonly caller: CallerOf<Op>;
}

export type Handler<Op extends OperationId> = (
  input: Input<Op>,
  reply: Reply<Op>,
  context: Context<Op>,
) => HandlerResponse<Op> | Promise<HandlerResponse<Op>>;

/** One handler for each operation of the contract: no more, no less. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
