/** What a client is given, what it knows of an operation, and what a call results in. */
import type { EncodedField } from '@specwright/contract/document';

export interface RetryOptions {
  /** How often a request is sent at the most; 3 by default. */
  readonly attempts?: number | undefined;
  /** If `Retry-After` asks for more, the response is returned at once; in milliseconds, 60,000 by default. */
  readonly maxDelayMs?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Headers that the contract does not declare. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Off by default. Requests are sent again after 429, and after 503 and failures of the network if they can be repeated: GET, HEAD, QUERY,
   * PUT, DELETE, OPTIONS, and what has an `Idempotency-Key`, which the client makes and keeps where the contract declares one.
   */
  readonly retry?: boolean | RetryOptions | undefined;
  /**
   * How long an attempt may take until its response has been read, in milliseconds; 30,000 by default, `Infinity` for no end. It does not
   * bound the items of a response once they have begun, nor, unless the call says it, a body that is sent as a stream.
   */
  readonly timeoutMs?: number | undefined;
  /** Options of `fetch` that are not of the contract; `next` is that of Next.js. */
  readonly init?: RequestOptions | undefined;
}

/**
 * How many bytes of a body have been sent, from 0 for each attempt; `total` is `undefined` if only the end will tell.
 */
export type UploadProgress = (sent: number, total: number | undefined) => void;

/** Of an operation that takes files. */
export interface UploadOptions extends CallOptions {
  readonly onUploadProgress?: UploadProgress | undefined;
}

export interface RequestOptions extends Pick<RequestInit, 'credentials' | 'keepalive' | 'mode'> {
  readonly cache?: 'default' | 'no-store' | 'reload' | 'no-cache' | 'force-cache' | 'only-if-cached';
  readonly next?: { readonly revalidate?: number | false; readonly tags?: string[] };
}

/** A request that is about to be sent; its headers may be changed. */
export interface SentRequest {
  /** Its operationId. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/** Why a request is sent once more: its response, or the error of the network. */
export interface Retry {
  readonly operation: string;
  /** The attempt that has failed, from 1. */
  readonly attempt: number;
  /** Until the next one, in milliseconds. */
  readonly delayMs: number;
  readonly cause: unknown;
}

export interface ListenOptions extends CallOptions {
  /** Called with `open` when events can arrive, with `waiting` before each reconnection; `cause` is why it is needed, if it was an error. */
  readonly onState?: ((state: 'open' | 'waiting', cause?: unknown) => void) | undefined;
  /** After how long without a byte the server counts as gone, in milliseconds; 20,000 by default: servers send a comment every 15 s. */
  readonly idleMs?: number | undefined;
}

export interface ClientOptions<Credentials> extends Omit<CallOptions, 'signal'> {
  /** Where the server is, with the base path if it has one: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** By security scheme. An operation without security gets none. */
  readonly credentials?: Partial<Credentials> | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Called before each attempt. */
  readonly onRequest?: ((request: SentRequest) => void | Promise<void>) | undefined;
  /** Called before the wait for the next attempt. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Called for a 401. If it resolves to `true`, the request is sent once more, with the credentials that there are then. */
  readonly onUnauthorized?: ((operation: string) => boolean | Promise<boolean>) | undefined;
}

/** A key or token, or where to get the current one. */
export type Credential = string | (() => string | Promise<string>);

export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** Where a credential is sent. */
export interface Scheme {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix?: 'Basic ' | 'Bearer ';
}

export type ParameterLocation = 'path' | 'query' | 'headers' | 'cookies';

/** Style and explode if they are not the default ones (OpenAPI 3.0.3, section 4.7.12.1); `json` for `content`. */
export type Parameter = readonly [location: ParameterLocation, name: string, style?: string, explode?: boolean];

/** How the items of a body are written: lines, or records with a separator before each. */
export type SentSequence = 'lines' | 'records';

/** How a property of a form is written. */
export interface FormField {
  /** `json`, `text`, `deepObject` or a style of query parameters. */
  readonly style?: string;
  /** If it is not the default one. */
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Whether an empty text is null. */
  readonly isNullable?: boolean;
}

export interface OperationEntry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly security?: readonly (readonly string[])[];
  readonly parameters?: readonly Parameter[];
  /** Writes its query, if it is one value (`in: querystring`). */
  readonly query?: (value: unknown) => string[];
  /** Writes its cookies, if it has some. */
  readonly cookies?: (field: EncodedField, value: unknown) => string[];
  /** The media types of its body. */
  readonly body?: readonly string[];
  /** By media type of a form, the properties that are not written by their type alone. */
  readonly forms?: Readonly<Record<string, Readonly<Record<string, FormField>>>>;
  /** By property of a multipart body, the media type that the contract declares. */
  readonly parts?: Readonly<Record<string, string>>;
  /** The media types of its body that are sent item by item. */
  readonly sequences?: Readonly<Record<string, SentSequence>>;
  /** What writes its body, where it may be multipart, a form or a sequence: a bundle has it with the operations that need it. */
  readonly writeMultipart?: (body: object, types?: Readonly<Record<string, string>>) => Promise<WrittenBody & { type: string }>;
  readonly writeForm?: (body: object, fields?: Readonly<Record<string, FormField>>) => string;
  readonly writeItems?: (items: unknown, kind: SentSequence) => Promise<WrittenBody>;
  /** What sends a body whose progress is asked for. */
  readonly sendUpload?: (
    url: string,
    init: RequestInit,
    onProgress: UploadProgress,
    onThrown: (error: unknown) => void,
    custom?: typeof fetch,
  ) => Promise<Response>;
  /** By status, range (`4XX`) or `default`. */
  readonly responses: Readonly<Record<string, ResponseEntry>>;
}

export interface ResponseEntry {
  readonly types?: readonly string[];
  /** Name -> `text`, `number`, `bigint`, `date`, `boolean`, `list` (of text), `numbers`, `bigints`, `dates` or `json`; `!` after it if it is required. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By media type, of a sequence: how its items are read. */
  readonly items?: Readonly<Record<string, ItemKind>>;
  readonly readItems?: (response: Response, kind: ItemKind, place?: () => Place) => unknown;
  /** By media type, where its integers are `bigint`, and its moments `Date`; of a sequence those of an item. */
  readonly places?: Readonly<Record<string, () => Place>>;
}

/** Items are events, the data of events, or lines of JSON; `text` if the data of events is no JSON. */
export type ItemKind = 'event' | 'event-text' | 'data' | 'data-text' | 'lines';

/** The places of a value whose integers are `bigint`, or whose moments are `Date`. */
export interface Place {
  readonly isBigInteger?: true;
  readonly isDateObject?: true;
  readonly properties?: Readonly<Record<string, () => Place>>;
  /** Of properties that are not named. */
  readonly additional?: () => Place;
  readonly items?: () => Place;
}

export interface AnyInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  readonly contentType?: string | undefined;
  readonly body?: unknown;
}

/** One response, narrowed by `status` or `ok`. */
export interface Reply<Status, Ok, Headers, ContentType, Body> {
  readonly status: Status;
  /** Its operationId. */
  readonly operation: string;
  /** Whether the status is 200 to 299. */
  readonly ok: Ok;
  /** Those that the contract declares, under its names, with the types it gives them. A required one that cannot be read throws when it is used. */
  readonly headers: Headers;
  readonly contentType: ContentType;
  readonly body: Body;
  /** Its body has been read. Not enumerable, so that a reply can be serialized. */
  readonly response: Response;
}

export type AnyReply = Reply<number, boolean, object, string | undefined, unknown>;

/** The arguments of a method, with other options. */
export type ArgumentsWith<Options, Args extends readonly unknown[]> = Args extends readonly [infer Input, CallOptions?]
  ? [input: Input, options?: Options]
  : [input?: Args[0], options?: Options];

/** Optional properties may be given as `undefined`, also where `exactOptionalPropertyTypes` is on. */
export type Given<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** Headers that are no parameters, whatever a contract says (OpenAPI 3.0.3, section 4.7.12.1). */
export type IgnoredHeader = 'Accept' | 'Content-Type' | 'Authorization';

/** What `fetch` is given. */
export interface WrittenBody {
  readonly body: Exclude<RequestInit['body'], undefined>;
  /** Whether it can be sent once only. */
  readonly isStream?: boolean;
  /** Called when no more of it is needed: `fetch` keeps on asking for a stream whose request was answered or aborted. */
  readonly end?: () => void;
}

/** A file whose bytes are made while they are sent. */
export interface StreamedFile {
  readonly stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
  readonly filename?: string | undefined;
  /** Its media type. */
  readonly type?: string | undefined;
}

/** A `File` has a name. */
export type SentFile = Blob | StreamedFile;

/** A list, or items that are asked for as they are sent. */
export type SentItems<Item> = AsyncIterable<Item> | Iterable<Item>;

/** A body that is neither JSON nor a form. */
export type SentBytes = string | Blob | ArrayBuffer | Uint8Array;

/** The headers of a declared response; `Optional` are those that may be absent. */
export type HeadersOf<R, Optional = never> = R extends { headers: infer H }
  ? { readonly [N in keyof H as string extends N ? never : N extends Optional ? never : N]-?: NonNullable<H[N]> } & {
      readonly [N in keyof H as string extends N ? never : N extends Optional ? N : never]?: H[N] | undefined;
    }
  : object;

/** The events of the successes among results. */
export type EventsOf<R> = R extends {
  readonly ok: true;
  readonly contentType: `text/event-stream${string}`;
  readonly body: AsyncIterable<infer Item>;
}
  ? Item
  : never;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** `4XX`: the statuses of a hundred, without those that the operation declares by themselves. */
export type Hundred<First extends number, Declared = never> = Exclude<
  `${First}${Digit}${Digit}` extends `${infer Status extends number}` ? Status : never,
  Declared
>;

/** `default`: any status but those that the operation declares by themselves. */
export type Other<Declared = never> = Exclude<Hundred<3> | Hundred<4> | Hundred<5>, Declared>;
