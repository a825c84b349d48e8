/** The options of a server: of each contract that it serves, and of all of them together. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TlsOptions } from 'node:tls';
import type { Application } from 'express';
import type { Contract, ContractTypes, OperationId, ScopedScheme, SecurityScheme } from '@specwright/contract';
import type { Handlers } from './types/handlers.ts';
import type { Log, LogRequests } from './log/logger.ts';
import type { ScrapeOptions } from './ops/scrape.ts';
import type { Authenticator } from './pipeline/authentication/authenticators.ts';
import type { Scoped } from './pipeline/authentication/scopes.ts';
import type { CorsOptions } from './pipeline/cors/cors.ts';
import type { DocsOptions } from './endpoints/docs-login.ts';
import type { Readiness } from './endpoints/probes.ts';
import type { AnyHandler } from './pipeline/call-handler.ts';
import type { ErrorOptions } from './pipeline/error-formatter.ts';
import type { Exchange } from './pipeline/exchange.ts';
import type { Step } from './pipeline/step.ts';
import type { IdempotencyStore } from './pipeline/idempotency.ts';
import type { Middleware } from './pipeline/middleware.ts';
import type { Mock } from './mock.ts';
import type { RateLimitOptions } from './pipeline/rate-limit/rate-limit.ts';
import type { ResponseValidation } from './pipeline/send-response.ts';
import type { StreamLimits } from './pipeline/streams/open-streams.ts';
import type { ServerPart } from './process/part-lifecycle.ts';
import type { ToolServer } from './tools/tool-server.ts';

/** One authenticator for each security scheme of a contract. Callers of a scheme of which operations require scopes have `scopes`. */
export type Security<T extends ContractTypes, Caller> = Readonly<Record<SecurityScheme<T>, Authenticator<Caller>>> &
  ScopedSecurity<T, Caller>;

/** Never given: the compiler does not infer `Caller` from an intersection, but from this property it does. */
declare const CALLER: unique symbol;

type ScopedSecurity<T extends ContractTypes, Caller> = [ScopedScheme<T>] extends [never]
  ? unknown
  : Readonly<Record<ScopedScheme<T>, Authenticator<Scoped>>> & { readonly [CALLER]?: Caller };

export interface ServiceOptions<T extends ContractTypes, Caller, Db = unknown> {
  /** The document with its validators: from `loadContract`. */
  readonly contract: Contract<T>;
  /** One handler for each operation. */
  readonly handlers: Handlers<T, Caller, Db>;
  /** What handlers get as `context.db`: a pool, a Knex, a repository. Required for handlers that use it. Default: none. */
  readonly db?: Db;
  /** One authenticator for each security scheme of the contract, `{}` if there is none. */
  readonly security: Security<T, Caller>;
  /** What precedes the contract's paths in those of requests: `/v1`. Default: nothing. */
  readonly base?: string;
  /** The name in challenges (RFC 9110, section 11.5). Default: the title of the contract. */
  readonly realm?: string;
  /** How errors are sent. Default: as the contract declares them, with the statuses of `FRAMEWORK_ERRORS`. `next` is short for `{ next: true }`. */
  readonly errors?: ErrorOptions | 'next';
  /** Where the responses to requests with an `Idempotency-Key` are kept. Default: nowhere; then the header has no effect. */
  readonly idempotency?: IdempotencyStore<Db, Caller> | undefined;
  /**
   * Answers for handlers that are not written yet, which throw `notImplemented`, and where a security scheme is not: `await loadMock(contract)`.
   * With it any origin may call, unless `cors` is given. Default: they answer 501.
   */
  readonly mock?: Mock | undefined;
  /** Express middleware that runs before the pipeline, in order: for every request, or for some operations. `req.operation` is known. Default: none. */
  readonly use?: readonly Middleware<OperationId<T>>[];
  /** Further steps of the pipeline: before it, before the handler, and after the response. Default: none. */
  readonly steps?: ServiceSteps<Caller>;
}

/** The state of a request as the steps of a service see it. `headers` are those of the response, to be added to: `headers.set(name, value)`, `headers.append(name, value)`. */
export type ServiceExchange<Caller> = Omit<Exchange, 'caller'> & { readonly caller: Caller | undefined };

/** Ends the request by throwing an AppError. The next step waits for a promise. */
export type ServiceStep<Caller> = (exchange: ServiceExchange<Caller>) => void | Promise<void>;

/** Steps that a service adds to the pipeline, such as a feature flag or an audit log. */
export interface ServiceSteps<Caller> {
  /** Before the steps of the contract: the operation is known (`undefined` for none), the caller is not. */
  readonly before?: readonly ServiceStep<Caller>[];
  /** Before the handler: the caller is known and within its limits, and the input is valid. */
  readonly beforeHandler?: readonly ServiceStep<Caller>[];
  /** After the response, whatever it was: when it has been sent, or its client has gone. What it throws is logged. */
  readonly after?: readonly ServiceStep<Caller>[];
}

export interface SharedOptions<Caller> {
  /** Whom requests are counted for, and where. Required for a contract with `x-rate-limit-plans`. Default: none. */
  readonly rateLimit?: RateLimitOptions<Caller> | undefined;
  /** What happens to a response that breaks the contract: it is sent as 500 (`strict`), sent and logged (`log`), or sent (`off`). Default: `strict`. */
  readonly responseValidation?: ResponseValidation;
  /** Which pages of other origins may call the API, and read what it answers. Default: none. */
  readonly cors?: CorsOptions | undefined;
  /** Whether requests can be served. Default: always. */
  readonly readiness?: Readiness;
  /** A logger such as pino's: `info`, `warn`, `error` and `child`. */
  readonly log: Log;
  /** Which requests are logged: `all`, `errors` (5xx and unanswered ones) or `off`. Default: `all`. */
  readonly logRequests?: LogRequests;
  /** The largest request body of operations without `x-body-limit`, in bytes after decompression. Default: 64 KiB. */
  readonly maxBodyBytes?: number;
  /**
   * How many bytes the bodies of all requests under way may have in memory, but those that come in one packet. What is beyond it is not
   * read for up to half of `requestTimeoutMs`, then the answer is 503. Default: 128 MiB.
   */
  readonly bodyBudgetBytes?: number;
  /**
   * How many bytes the stored files of all multipart requests may have on disk, in temporary files of which 64 may be open. What is
   * beyond it waits for up to half of `requestTimeoutMs`, then the answer is 503. Default: 1 GiB.
   */
  readonly spoolBudgetBytes?: number;
  /** Whether responses of 1 KiB and more are compressed for clients that accept it, but those that must not be stored. Default: `false`. */
  readonly compression?: boolean;
  /** What is logged of a caller. Never a credential. Default: nothing. */
  readonly logCaller?: (caller: Caller) => object;
  /**
   * How long this server may take for a request, in ms, without the time that the client takes to send the body. After it the
   * answer is 503. Default: 2500.
   */
  readonly requestTimeoutMs?: number;
  /** How many streams of items may be open at once. Default: `{ total: 10_000, perCaller: 100 }`. */
  readonly streams?: StreamLimits;
  /** Whether `GET /docs` is served, and how it logs in. Default: `false`. */
  readonly docs?: boolean | DocsOptions;
  /** Whether `GET /metrics` is served, and how old its figures may be. Default: `false`. */
  readonly metrics?: boolean | ScrapeOptions;
  /**
   * What the server starts, measures, flushes, stops and closes with itself, each after what it uses: pools, caches, queues, workers. They are
   * started in this order when the server is ready, and closed in the reverse order by `close(server)`, or after Node's `server.close()`. Default: none.
   */
  readonly parts?: readonly ServerPart[];
  /** Serves the operations with `x-mcp` as tools for agents, at `POST /mcp`: `mcp()` of `@specwright/server/mcp`. Default: none are. */
  readonly mcp?: ToolServer | undefined;
  /** Adds what is not in the contract to an Express application: pages, static files. It is asked for what is no operation. Default: none. */
  readonly routes?: (app: Application) => void;
  /**
   * `false` for a platform that freezes the process after a response: parts are flushed before it ends, and nothing is done ahead of
   * requests, such as compiling schemas. Default: `true`.
   */
  readonly background?: boolean;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
}

export interface ServerOptions<T extends ContractTypes, Caller, Db = unknown> extends ServiceOptions<T, Caller, Db>, SharedOptions<Caller> {
  readonly services?: undefined;
}

/** Handlers that use a database need one. An intersection, as `Db` is inferred from the optional property. */
export type RequiredDb<Db> = undefined extends Db ? unknown : { readonly db: Db };

/** A server of several contracts, or of versions of one: each below its `base`, with one admission and one limiter. */
export interface ServicesOptions<Types extends readonly ContractTypes[], Caller> extends SharedOptions<Caller> {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly services: { readonly [Index in keyof Types]: ServiceOptions<Types[Index], any, any> };
}

export interface ListenOptions {
  /** Certificate and key, for HTTPS. Default: HTTP, for a proxy that ends TLS. */
  readonly tls?: TlsOptions;
  /**
   * Serves `GET /metrics` at this port, with HTTP, and not with the contracts: for networks that let only the scraper reach it. Worker 2 has the
   * next port, and so on. 0: any that is free. Default: none.
   */
  readonly metricsPort?: number | undefined;
}

/** What a handler in another application has beside the options of a server. */
export interface MountOptions {
  /** What happens to requests that the contract does not have: 404 or 405 (`respond`), or the `next` handler. Default: `respond`. */
  readonly unmatched?: 'next' | 'respond';
}

/** What can be given to `app.use` of Express, and to `createServer` of `node:http` and `node:http2`. */
export interface RequestHandler {
  (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse, next?: (error?: unknown) => void): void;
  /** Stops and closes the parts, and ends what runs beside requests. Call it once no more requests come. @throws AggregateError if a part fails. */
  readonly close: () => Promise<void>;
}

type UntypedHandlers = Readonly<Record<string, AnyHandler>>;

/** A service without the types of its contract, which are checked where it is given: the pipeline does not need them. */
export interface UntypedService extends Pick<ServiceOptions<ContractTypes, unknown>, 'base' | 'contract' | 'errors' | 'mock' | 'realm'> {
  readonly handlers: UntypedHandlers;
  readonly security: Readonly<Record<string, Authenticator>>;
  readonly db?: unknown;
  readonly idempotency?: IdempotencyStore | undefined;
  readonly use?: readonly Middleware[];
  readonly steps?: Readonly<Partial<Record<keyof ServiceSteps<never>, readonly Step[]>>>;
}

export type UntypedOptions = SharedOptions<unknown> &
  MountOptions &
  ((UntypedService & { readonly services?: undefined }) | { readonly services: readonly UntypedService[] });
