/** The types of Express handlers, per operation: `(req, res, next)` that read and send only what the contract declares. */
import type { CookieOptions, Request, Response } from 'express';
import type { ContractTypes, Input, OperationId, Payload, Status, IsJson } from '@specwright/contract';
import type { Context } from './handlers.ts';

// ---- Request -----------------------------------------------------------------------------------------------------

/**
 * Express's request, after validation: `params`, `query` and `body` are those of the handler's input, with defaults, and of the types that
 * the contract declares (a number is a number).
 */
export interface ExpressRequest<T extends ContractTypes, Op extends OperationId<T>, Caller, Db = unknown> extends Request<
  Input<T, Op>['path'],
  unknown,
  Input<T, Op>['body'],
  Input<T, Op>['query']
> {
  readonly input: Input<T, Op>;
  /** What a handler knows beside its input: `db`, `caller`, `log`, `signal`, `limits`, `now`, `requestId`. */
  readonly context: Context<T, Op, Caller, Db>;
}

// ---- What a response of a status has -----------------------------------------------------------------------------

/** Of several statuses (`created ? 201 : 200`) what is right for all of them. `U` are functions, so that a body that is a union stays one. */
type ForAll<U> = [U] extends [(body: infer All) => void] ? All : never;

type MediaTypeOf<P> = P extends { type?: infer M } ? NonNullable<M> : never;
type JsonOf<P> = P extends { body: infer B } ? (IsJson<MediaTypeOf<P>> extends true ? B : never) : never;
type TextOf<P> = P extends { body: infer B } ? (IsJson<MediaTypeOf<P>> extends true ? never : B) : never;

/** The value that is sent as JSON; `never` if there is none. */
type JsonBody<T extends ContractTypes, Op extends OperationId<T>, S> = ForAll<
  S extends unknown ? (body: JsonOf<Payload<T, Op, S>>) => void : never
>;
/** The text or bytes of any other media type; `never` if there is none. */
type TextBody<T extends ContractTypes, Op extends OperationId<T>, S> = ForAll<
  S extends unknown ? (body: TextOf<Payload<T, Op, S>>) => void : never
>;

/** `never` if none of the statuses has a body. */
type AnyBody<T extends ContractTypes, Op extends OperationId<T>, S> = S extends unknown
  ? JsonOf<Payload<T, Op, S>> | TextOf<Payload<T, Op, S>>
  : never;

/** The status that a call names; if it is not declared, those that it may name, so that the compiler lists them. */
type DeclaredStatus<T extends ContractTypes, Op extends OperationId<T>, S> = [S] extends [Status<T, Op>] ? S : Status<T, Op>;

/** A status for each key of `responses`: one of its hundred for `4XX`, one that no key has for `default`. */
type StatusForKey<K> = K extends `${infer S extends number}`
  ? S
  : K extends `${infer Hundred}XX`
    ? `${Hundred}99` extends `${infer S extends number}`
      ? S
      : never
    : 999;

/** Before a status is chosen: each that the operation declares. */
type AnyStatus<T extends ContractTypes, Op extends OperationId<T>> = StatusForKey<keyof T['table'][Op]['responses']>;

/** What `set` is called for: the headers of one status, or of any before one is chosen. */
type HeadersOf<T extends ContractTypes, Op extends OperationId<T>, S> = S extends unknown
  ? NonNullable<Payload<T, Op, S> extends { headers?: infer H } ? H : never>
  : never;

type Names<H> = H extends unknown ? keyof H & string : never;
type ValueOf<H, N> = H extends unknown ? (N extends keyof H ? NonNullable<H[N]> : never) : never;

type MediaType<T extends ContractTypes, Op extends OperationId<T>, S> = S extends unknown ? MediaTypeOf<Payload<T, Op, S>> & string : never;
/** Express's short names of media types. */
interface ShortNames {
  readonly json: 'application/json';
  readonly html: 'text/html';
  readonly txt: 'text/plain';
  readonly text: 'text/plain';
}
type ShortName<M> = { [N in keyof ShortNames]: ShortNames[N] extends M ? N : never }[keyof ShortNames];

/** The declared headers by name, also in lower case, and the media type. */
type ExpressHeaders<T extends ContractTypes, Op extends OperationId<T>, S> = {
  [N in Names<HeadersOf<T, Op, S>> as N | Lowercase<N>]?: ValueOf<HeadersOf<T, Op, S>, N>;
} & ([MediaType<T, Op, S>] extends [never] ? unknown : { [N in 'Content-Type' | 'content-type']?: MediaType<T, Op, S> });

/** The argument of a method that writes the header `N`; without the header a text that says why nothing fits. */
type For<N extends string, F, Argument> = N extends keyof F ? Argument : `the contract declares no ${N} for this response`;

type Responses<T extends ContractTypes, Op extends OperationId<T>> = T['table'][Op]['responses'];

/** The statuses, not ranges, that are declared without a body. */
type EmptyStatus<T extends ContractTypes, Op extends OperationId<T>> = {
  [K in keyof Responses<T, Op>]: Responses<T, Op>[K] extends { readonly types: readonly [] }
    ? K extends `${infer S extends number}`
      ? S
      : never
    : never;
}[keyof Responses<T, Op>];

type RedirectStatus<T extends ContractTypes, Op extends OperationId<T>> = EmptyStatus<T, Op> & (300 | 301 | 302 | 303 | 307 | 308);

/** `Statuses`, or a text that says why there are none. */
type OrText<Statuses, Text extends string> = [Statuses] extends [never] ? Text : Statuses;

// ---- Response ----------------------------------------------------------------------------------------------------

/**
 * What a response has whatever its body. `S` is the status that was chosen; `Of` the statuses whose headers may be set.
 *
 * The methods are Express's: those that nothing in a contract can allow are left out. What ends a response returns nothing, so that
 * `return res.json(...)` and the end of the function are one type to the compiler (`noImplicitReturns`).
 */
interface ResponseHead<T extends ContractTypes, Op extends OperationId<T>, S, Of>
  extends
    NodeJS.EventEmitter,
    Pick<Response, 'locals' | 'headersSent' | 'writableEnded' | 'writableFinished' | 'get' | 'getHeader' | 'getHeaders' | 'hasHeader'> {
  readonly statusCode: S;
  /** Chooses a status: what the response takes is typed by it. A separate statement does not change the type of `res`. */
  status<Next extends number>(status: DeclaredStatus<T, Op, Next>): ResponseOf<T, Op, Next, Next>;
  /** Answers with a status that has no body, and without one: Express's own sends the name of the status. */
  sendStatus(status: OrText<EmptyStatus<T, Op>, 'the contract declares no response without a body'>): void;
  /** Answers with `Location` and no body. */
  redirect(status: OrText<RedirectStatus<T, Op>, 'the contract declares no redirect without a body'>, url: string): void;
  redirect(url: 302 extends RedirectStatus<T, Op> ? string : 'the contract declares no 302 without a body'): void;
  set<N extends keyof ExpressHeaders<T, Op, Of>>(name: N, value: NonNullable<ExpressHeaders<T, Op, Of>[N]>): this;
  set(fields: ExpressHeaders<T, Op, Of>): this;
  header<N extends keyof ExpressHeaders<T, Op, Of>>(name: N, value: NonNullable<ExpressHeaders<T, Op, Of>[N]>): this;
  header(fields: ExpressHeaders<T, Op, Of>): this;
  setHeader<N extends keyof ExpressHeaders<T, Op, Of>>(name: N, value: NonNullable<ExpressHeaders<T, Op, Of>[N]>): this;
  append<N extends keyof ExpressHeaders<T, Op, Of>>(name: N, value: NonNullable<ExpressHeaders<T, Op, Of>[N]>): this;
  removeHeader(name: keyof ExpressHeaders<T, Op, Of> & string): void;
  type(type: OrText<MediaType<T, Op, Of> | ShortName<MediaType<T, Op, Of>>, 'the contract declares no body for this response'>): this;
  location(url: For<'Location', ExpressHeaders<T, Op, Of>, string>): this;
  links(links: For<'Link', ExpressHeaders<T, Op, Of>, Record<string, string>>): this;
  vary(field: For<'Vary', ExpressHeaders<T, Op, Of>, string>): this;
  attachment(filename?: For<'Content-Disposition', ExpressHeaders<T, Op, Of>, string>): this;
  cookie(name: For<'Set-Cookie', ExpressHeaders<T, Op, Of>, string>, value: unknown, options?: CookieOptions): this;
  clearCookie(name: For<'Set-Cookie', ExpressHeaders<T, Op, Of>, string>, options?: CookieOptions): this;
}

/** A response whose contract declares no body: `end()`, `send()`. */
interface EmptyResponse<T extends ContractTypes, Op extends OperationId<T>, S, Of> extends ResponseHead<T, Op, S, Of> {
  end(): void;
  send(): void;
}

/** A response with a JSON body: `json(value)`, `send(value)`. */
interface JsonResponse<T extends ContractTypes, Op extends OperationId<T>, S, Of> extends ResponseHead<T, Op, S, Of> {
  json(body: JsonBody<T, Op, S>): void;
  /** As `json`, of what is no string: Express sends a string as text. */
  send(body: Exclude<JsonBody<T, Op, S>, string>): void;
}

/** A response with text or bytes: `send(text)`, `end(bytes)`, `sendFile(path)`, `stream.pipe(res)`. It is sent when it is complete. */
interface TextResponse<T extends ContractTypes, Op extends OperationId<T>, S, Of>
  extends ResponseHead<T, Op, S, Of>, NodeJS.WritableStream, Pick<Response, 'sendFile' | 'render' | 'download'> {
  send(body: TextBody<T, Op, S>): void;
}

/** The operation declares no such response: `status(...)` has to be called first. */
type UndeclaredResponse<T extends ContractTypes, Op extends OperationId<T>, S, Of> = ResponseHead<T, Op, S, Of>;

type ResponseOf<T extends ContractTypes, Op extends OperationId<T>, S, Of> = [S] extends [Status<T, Op>]
  ? [AnyBody<T, Op, S>] extends [never]
    ? EmptyResponse<T, Op, S, Of>
    : [JsonBody<T, Op, S>] extends [never]
      ? [TextBody<T, Op, S>] extends [never]
        ? ResponseHead<T, Op, S, Of>
        : TextResponse<T, Op, S, Of>
      : [TextBody<T, Op, S>] extends [never]
        ? JsonResponse<T, Op, S, Of>
        : JsonResponse<T, Op, S, Of> & TextResponse<T, Op, S, Of>
  : UndeclaredResponse<T, Op, S, Of>;

/** Express's response, typed by its operation. Without `status` it is that of 200. */
export type ExpressResponse<T extends ContractTypes, Op extends OperationId<T>> = ResponseOf<T, Op, 200, AnyStatus<T, Op>>;

// ---- Handlers ----------------------------------------------------------------------------------------------------

/** Ends the request with an error, as a throw does. Nothing follows a handler, so there is no `next()` without one. */
export type ExpressNext = (error: unknown) => void;

export type ExpressHandler<T extends ContractTypes, Op extends OperationId<T>, Caller, Db = unknown> = (
  req: ExpressRequest<T, Op, Caller, Db>,
  res: ExpressResponse<T, Op>,
  next: ExpressNext,
) => unknown;
