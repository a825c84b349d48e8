/** The types of requests and responses, per operation: the input of a handler and its reply, derived from the types of a contract. */
import type { Readable } from 'node:stream';
import type { OperationTable } from '../reading/operation-table.ts';
import type { HandlerResponse, ByteStream, ItemStream } from '../responses/handler-response.ts';
import type { FRAMEWORK_HEADERS, RATE_LIMIT_HEADERS } from '../http/header-fields.ts';
import type { SpooledFile, StreamedFiles } from './uploaded-files.ts';

/**
 * The types of one contract, as `generated/contract.ts` collects them. All other types are functions of them, so that two
 * contracts can be served by one program.
 */
export interface ContractTypes {
  /** `components['schemas']` of `generated/openapi.ts`. */
  readonly schemas: object;
  /** `operations` of `generated/openapi.ts`, by operationId. */
  readonly operations: object;
  /** Where the bodies of requests have defaults, by operationId and media type. */
  readonly bodyDefaults: object;
  readonly table: OperationTable;
  /** `x-rate-limit-plans`; `null` if the document has none. */
  readonly rateLimitPlans: unknown;
}

/**
 * The types of a contract that may be served without some operations (`omit` of `loadContract`): their handlers are not required. The property is
 * optional and never there, so that handlers of the whole contract fit.
 */
export type OmitOperations<T extends ContractTypes, Op extends string> = [Op] extends [never] ? T : T & { readonly omitted?: Op };

/** The operations that need a handler. */
export type RequiredOperation<T extends ContractTypes> = 'omitted' extends keyof T
  ? Exclude<OperationId<T>, T['omitted' & keyof T]>
  : OperationId<T>;

export type OperationId<T extends ContractTypes> = keyof T['table'] & keyof T['operations'] & string;

export type SecurityScheme<T extends ContractTypes> = T['table'][OperationId<T>]['security'][number][number];

export type ScopedScheme<T extends ContractTypes> = {
  [Op in OperationId<T>]: T['table'][Op] extends { readonly scopes: infer Scopes } ? keyof Scopes : never;
}[OperationId<T>];

export type Scope<T extends ContractTypes> = {
  [Op in OperationId<T>]: T['table'][Op] extends { readonly scopes: Readonly<Record<string, readonly (infer One)[]>> } ? One : never;
}[OperationId<T>];

export type HasLimits<T extends ContractTypes> = T['rateLimitPlans'] extends null ? false : true;
export type Row<T extends ContractTypes, Op extends OperationId<T>> = T['table'][Op];
type Source<T extends ContractTypes, Op extends OperationId<T>> = T['operations'][Op];
type Part<S, Name extends string> = Name extends keyof S ? S[Name] : undefined;
type Parameters<S, Where extends string> = Part<Part<S, 'parameters'>, Where>;

// ---- Input -------------------------------------------------------------------------------------------------------

/** The type of an absent part of an operation: it neither has properties nor forbids them. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
type Nothing = {};
/** Shown with its properties, not by a name: a conditional type has none. */
type Expand<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;
type Declared<T> = [T] extends [undefined] ? Nothing : NonNullable<T>;

/** Parameters or properties after defaults: one with a default is never absent. */
type WithDefaults<T, Names> = Expand<
  { [K in keyof T as K extends Names ? K : never]-?: Exclude<T[K], undefined> } & {
    [K in keyof T as K extends Names ? never : K]: T[K];
  }
>;

/** What `bodyDefaults` says of a property; a map has one entry for all values. */
type DefaultsAt<D, K> = string extends K
  ? D extends { values: infer V }
    ? V
    : undefined
  : D extends { properties: infer P }
    ? K extends keyof P
      ? P[K]
      : undefined
    : undefined;

/** A body after defaults; `D` is what `bodyDefaults` says of it, `undefined` without defaults. */
type Filled<T, D> = [D] extends [undefined]
  ? T
  : T extends readonly (infer E)[]
    ? D extends { items: infer I }
      ? Filled<E, I>[]
      : T
    : T extends Date
      ? T
      : T extends object
        ? WithDefaults<{ [K in keyof T]: Filled<T[K], DefaultsAt<D, K>> }, D extends { defaults: infer N } ? keyof N : never>
        : T;

/** What a client may send: `readOnly` properties are refused in requests (OpenAPI 3.0.3, section 4.7.24.2). */
type Written<T> = T extends { readonly $read: unknown }
  ? never
  : T extends { readonly $write: infer U }
    ? Written<U>
    : T extends readonly unknown[]
      ? { [K in keyof T]: Written<T[K]> }
      : T extends Date
        ? T
        : T extends object
          ? { [K in keyof T as NonNullable<T[K]> extends { readonly $read: unknown } ? never : K]: Written<T[K]> }
          : T;

export type Read<T> = T extends { readonly $write: unknown }
  ? never
  : T extends { readonly $read: infer U }
    ? Read<U>
    : T extends readonly unknown[]
      ? { [K in keyof T]: Read<T[K]> }
      : T extends Date
        ? T
        : T extends object
          ? { [K in keyof T as NonNullable<T[K]> extends { readonly $write: unknown } ? never : K]: Read<T[K]> }
          : T;

/** The body that a handler gets: a validated value, validated items one by one, or else the text or the bytes as they were sent. */
type ReceivedBody<T, V, D> =
  ItemOf<T, V> extends { readonly item: infer Item }
    ? AsyncIterable<Filled<Written<Item>, D>>
    : IsJson<T> extends true
      ? Filled<Written<V>, D>
      : V extends { readonly $fields: infer Fields }
        ? Filled<Written<Fields>, D>
        : T extends `text/${string}`
          ? string
          : Buffer;

/** The items of a sequence; events are sent by servers alone. No item is `false`: without `strict`, `undefined` extends every type. */
type ItemOf<T, V> = V extends { readonly $items: infer Item } ? (T extends `text/${string}` ? false : { readonly item: Item }) : false;

/** The media types whose bodies are streams (`x-stream`). */
type StreamedType<R> = R extends { readonly body: { readonly streams: readonly (infer S)[] } } ? S : never;

type Contents<T, D, S> = T extends { content: infer C }
  ? { [K in keyof C]: K extends S ? Readable : ReceivedBody<K, C[K], Part<D, K & string>> }[keyof C]
  : never;
type Body<T, D, S> = [T] extends [undefined]
  ? undefined
  : undefined extends T
    ? Contents<NonNullable<T>, D, S> | undefined
    : Contents<T, D, S>;

/** The files of a multipart body, where the operation has one that declares files. */
type Files<T> =
  NonNullable<T> extends { content: infer C }
    ? { [K in keyof C]: C[K] extends { readonly $files: infer F } ? FilesOf<C[K], keyof F & string> : never }[keyof C]
    : never;
type FilesOf<V, Names extends string> = V extends { readonly $spooled: true } ? readonly SpooledFile<Names>[] : StreamedFiles<Names>;

/**
 * A request of the operation after validation, coercion and defaults.
 *
 * `path`, `query`, `headers` and `cookies` hold exactly the declared parameters under their declared names; `files` are those of a multipart
 * body, where the contract declares some.
 */
export type Input<T extends ContractTypes, Op extends OperationId<T>> = RequestInput<T, Op> &
  WithFiles<Files<Part<Source<T, Op>, 'requestBody'>>>;

type WithFiles<F> = [F] extends [never] ? unknown : { readonly files: F };

export interface RequestInput<T extends ContractTypes, Op extends OperationId<T>> {
  readonly path: Expand<Declared<Parameters<Source<T, Op>, 'path'>>>;
  readonly query: 'querystring' extends keyof Part<Source<T, Op>, 'parameters'>
    ? Parameters<Source<T, Op>, 'querystring'>
    : WithDefaults<Declared<Parameters<Source<T, Op>, 'query'>>, Row<T, Op>['defaults']['query'][number]>;
  readonly headers: WithDefaults<Declared<Parameters<Source<T, Op>, 'header'>>, Row<T, Op>['defaults']['header'][number]>;
  readonly cookies: WithDefaults<Declared<Parameters<Source<T, Op>, 'cookie'>>, Row<T, Op>['defaults']['cookie'][number]>;
  readonly body: Body<Part<Source<T, Op>, 'requestBody'>, Part<T['bodyDefaults'], Op>, StreamedType<Row<T, Op>>>;
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

type Responses<T extends ContractTypes, Op extends OperationId<T>> = Part<Source<T, Op>, 'responses'>;

/** The statuses that the operation declares; a range `4XX` declares its hundred, `default` any. */
export type Status<T extends ContractTypes, Op extends OperationId<T>> = StatusOf<keyof Responses<T, Op>>;

/**
 * The codes of a table whose status some operation declares, and those of `Always`: a handler that throws another one answers 500.
 *
 * TypeScript does not check what a function throws, so it cannot be the operation's own. `Always` is a parameter because a
 * union with it is one with `never` where the contract declares no errors, which linters reject.
 */
export type DeclaredCode<
  T extends ContractTypes,
  Statuses extends Readonly<Record<string, number>>,
  Always extends keyof Statuses & string = never,
> = {
  [Code in keyof Statuses & string]: Code extends Always
    ? Code
    : Statuses[Code] extends { [Op in OperationId<T>]: Status<T, Op> }[OperationId<T>]
      ? Code
      : never;
}[keyof Statuses & string];

/** The key of `responses` that declares a status: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
type KeyFor<T extends ContractTypes, Op extends OperationId<T>, S> = S extends keyof Responses<T, Op>
  ? S
  : `${S & number}` extends `${infer Hundred}${Digit}${Digit}`
    ? `${Hundred}XX` extends keyof Responses<T, Op>
      ? `${Hundred}XX`
      : 'default' & keyof Responses<T, Op>
    : never;

type Key = string | number | symbol;
type Lookup<T, K extends Key> = K extends keyof T ? T[K] : `${K & number}` extends keyof T ? T[`${K & number}`] : never;

type HeaderTypes<T> = T extends { headers: infer H } ? { [K in keyof H as string extends K ? never : K]: H[K] } : Nothing;
type HeaderFlags<T extends ContractTypes, Op extends OperationId<T>, K extends Key> =
  Lookup<Row<T, Op>['responses'], K> extends { headers: infer Flags } ? Flags : Nothing;

type RateLimitHeader = (typeof RATE_LIMIT_HEADERS)[number];
type FrameworkHeader<T extends ContractTypes> = Exclude<
  (typeof FRAMEWORK_HEADERS)[number] | RateLimitHeader,
  HasLimits<T> extends true ? never : RateLimitHeader
>;

/** The pipeline writes the `Link` to a successor, so the handler of such an operation may omit `Link`. */
type WrittenByFramework<T extends ContractTypes, Op extends OperationId<T>> = Row<T, Op>['deprecation'] extends {
  readonly successor: string;
}
  ? 'Link'
  : never;

/** The headers that a handler must give. Read from the table: the types make every `$ref`d header required. */
type RequiredHeader<T extends ContractTypes, Op extends OperationId<T>, K extends Key> = {
  [N in keyof HeaderFlags<T, Op, K>]: HeaderFlags<T, Op, K>[N] extends true
    ? Exclude<N, FrameworkHeader<T> | WrittenByFramework<T, Op>>
    : never;
}[keyof HeaderFlags<T, Op, K>];

type DeclaredHeaders<T extends ContractTypes, Op extends OperationId<T>, K extends Key, H = HeaderTypes<Lookup<Responses<T, Op>, K>>> = {
  [N in keyof H as N extends RequiredHeader<T, Op, K> ? N : never]: NonNullable<H[N]>;
} & {
  [N in keyof H as N extends RequiredHeader<T, Op, K> | FrameworkHeader<T> ? never : N]?: H[N] | undefined;
};

/** The headers of a reply: one object type with a name, so that the compiler names header, operation and status in one line. */
type ReplyHeaders<T extends ContractTypes, Op extends OperationId<T>, K extends Key> = {
  [N in keyof DeclaredHeaders<T, Op, K>]: DeclaredHeaders<T, Op, K>[N];
};

type WithHeaders<H> = [keyof H] extends [never] ? { headers?: never } : Nothing extends H ? { headers?: H } : { headers: H };

type Content<T> = T extends { content: infer C } ? ([C] extends [undefined] ? never : NonNullable<C>) : never;

/** The only media type is implied; of several the reply names one. */
type WithBody<C> = [C] extends [never]
  ? { body?: never; type?: never }
  : {
      [T in keyof C]: SentBody<T, C[T]> & (IsUnion<keyof C> extends true ? { type: T } : { type?: T });
    }[keyof C];

/** JSON as its value, items one by one, and any other body as text or bytes, or as a stream of them. */
type SentBody<T, V> = V extends { readonly $items: infer Item }
  ? Streamed<ItemStream<Read<Item>>>
  : IsJson<T> extends true
    ? { body: Read<V>; stream?: never; items?: never }
    : { body: string | Buffer; stream?: never; items?: never } | Streamed<ByteStream>;

type Streamed<S> = S & { body?: never };

type IsUnion<T, Whole = T> = [T] extends [never] ? false : T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/**
 * The rest of a response with this status: body, headers and, if there are several, media type.
 *
 * An intersection, which keeps its name in messages of the compiler: expanded, it was written out there.
 */
export type Payload<T extends ContractTypes, Op extends OperationId<T>, S> = WithHeaders<ReplyHeaders<T, Op, KeyFor<T, Op, S> & Key>> &
  WithBody<Content<Lookup<Responses<T, Op>, KeyFor<T, Op, S> & Key>>>;

/** The status that a call of `reply` names, if the operation declares it; else those that it may name, so that the compiler lists them. */
type DeclaredStatus<T extends ContractTypes, Op extends OperationId<T>, S> = [S] extends [Status<T, Op>] ? S : Status<T, Op>;

/** The arguments after the status. Of an undeclared one any: the compiler reports the number of arguments before their types. */
type Rest<T extends ContractTypes, Op extends OperationId<T>, S> = [S] extends [Status<T, Op>]
  ? Nothing extends Payload<T, Op, S>
    ? [payload?: Payload<T, Op, S>]
    : [payload: Payload<T, Op, S>]
  : [payload?: unknown];

/**
 * Builds a response of the operation.
 *
 * Responses are built by a call because TypeScript checks excess properties of arguments, not of what an arrow
 * function returns; and only this call makes a `HandlerResponse`, so a handler cannot return anything else.
 */
export type Reply<T extends ContractTypes, Op extends OperationId<T>> = <S extends number>(
  status: DeclaredStatus<T, Op, S>,
  ...payload: Rest<T, Op, S>
) => HandlerResponse<Op>;

/** A media type whose bodies are JSON values, as `bodyKind` says; ranges are served as JSON. */
export type IsJson<T> = T extends `${string}/json${string}` | `${string}+json${string}` | '*/*' | 'application/*' ? true : false;
