/** Bodies of responses that are not one value: bytes as they come, and items one by one. */
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Where bytes come from. What is left of it is closed when the client goes away. */
export type ByteSource = Readable | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** The bytes from `start` to `end`, both included, as `fs.createReadStream` has them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a response, sent as they come. */
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
