/** The response of a handler: a class with a private brand, so that only `reply` makes one. */
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** A response before it is validated and sent. Header values are strings or numbers, the body is a JSON value. */
export interface UnvalidatedResponse {
  readonly status: number;
  /** A list is sent as a field for each: `Set-Cookie` cannot be one field (RFC 6265, section 3). */
  readonly headers: Readonly<Record<string, string | number | bigint | readonly string[] | undefined>>;
  readonly body: unknown;
  readonly type: string | undefined;
  readonly streamed?: StreamedBody | undefined;
}

/** What `reply` is given beside the status. */
export type ReplyPayload = Partial<UnvalidatedResponse> & Partial<ByteStream> & Partial<ItemStream>;

export class HandlerResponse<Op extends string> implements UnvalidatedResponse {
  // The private member makes the class nominal; `declare` keeps `Op` in the type, so that a reply of another
  // operation does not fit either.
  readonly #brand = true;
  declare readonly operation: (op: Op) => Op;
  readonly status: number;
  readonly headers: UnvalidatedResponse['headers'];
  readonly body: unknown;
  readonly type: string | undefined;
  readonly streamed: StreamedBody | undefined;

  private constructor(status: number, payload: ReplyPayload) {
    this.status = status;
    this.headers = payload.headers ?? {};
    this.body = payload.body;
    this.type = payload.type;
    this.streamed = payload.stream !== undefined || payload.items !== undefined ? (payload as StreamedBody) : undefined;
  }

  /** The `reply` function that handlers are given. For the pipeline and for tests. */
  static readonly reply = (status: number, payload: ReplyPayload = {}): HandlerResponse<never> => new HandlerResponse(status, payload);

  /** Whether `reply` made a value: the brand at run time, for handlers that were not type-checked. */
  static is(value: unknown): value is HandlerResponse<never> {
    return typeof value === 'object' && value !== null && #brand in value;
  }
}

// Bodies of responses that are not one value: bytes as they come, and items one by one.

/** Where bytes come from. What is left of it is closed when the client goes away. */
export type ByteSource = Readable | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** The bytes from `start` to `end`, both included, as `fs.createReadStream` has them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ByteStream {
  /** The bytes; or a function that opens them, which HEAD does not call, and which a request for a range calls with it. */
  readonly stream: ByteSource | ((range?: ByteRange) => ByteSource | Promise<ByteSource>);
  /** How many bytes they are; what has another length is cut off, so that no client takes it for whole. Needed for ranges. */
  readonly length?: number | undefined;
  /** The name under which a client saves it (RFC 6266). */
  readonly filename?: string | undefined;
  /** Whether a browser shows or saves it. Default: `attachment` with a `filename`, else nothing is said. */
  readonly disposition?: 'attachment' | 'inline' | undefined;
}

/** Items of a response, each validated and sent as it comes. */
export interface ItemStream<Item = unknown> {
  readonly items: AsyncIterable<Item> | Iterable<Item>;
}

export type StreamedBody = ByteStream | ItemStream;

export const isByteStream = (body: StreamedBody): body is ByteStream => 'stream' in body;

/** @throws TypeError for a length that is none: Node would cut the connection off. */
export function assertLength({ length }: ByteStream): void {
  if (length !== undefined && (!Number.isSafeInteger(length) || length < 0))
    throw new TypeError(`the length of a stream must be a number of bytes, not ${String(length)}`);
}
