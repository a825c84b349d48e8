/** Sends a response whose body comes in parts: bytes, or items. */
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import {
  type ByteRange,
  type ByteStream,
  HeaderFields,
  type StreamedBody,
  type UnvalidatedResponse,
  type ValidatedResponse,
  assertLength,
  isByteStream,
} from '@specwright/contract';
import { create as contentDisposition } from 'content-disposition';
import { belowBase } from '../../http/below-base.ts';
import type { WatchCaller } from '../authentication/caller-watch.ts';
import { discardBody } from '../body/unread-body.ts';
import { type Exchange, operationOf } from '../exchange.ts';
import type { Step } from '../step.ts';
import { DownloadRefusal } from '../error-response.ts';
import { InvalidResponseError, type ResponseValidation, beginResponse, send, validateResponse } from '../send-response.ts';
import { evaluateConditions, matchesIfRange } from './download-conditions.ts';
import type { OpenStreams } from './open-streams.ts';
import type { ReplySource } from './reply-source.ts';
import { sendItems } from './send-items.ts';

export interface StreamOptions {
  readonly mode: ResponseValidation;
  readonly streams: Pick<OpenStreams, 'assertOpen' | 'onStop'>;
  readonly formatError: (exchange: Exchange, error: unknown) => unknown;
  readonly watchCaller: WatchCaller;
}

/**
 * Pipeline step. It resolves when the head has been written: what follows has neither a deadline nor a slot. Nothing is written for a client
 * that is gone.
 *
 * @throws as `validateResponse` does; what is given is then closed with the request.
 */
export const sendStreamed =
  (options: StreamOptions): Step =>
  async (exchange) => {
    const { handlerResponse, source } = exchange;
    if (handlerResponse?.streamed !== undefined) await sendParts(exchange, source, handlerResponse, handlerResponse.streamed, options);
  };

async function sendParts(
  exchange: Exchange,
  source: ReplySource | undefined,
  given: UnvalidatedResponse,
  streamed: StreamedBody,
  options: StreamOptions,
): Promise<void> {
  if (source === undefined) throw new Error('this step must come after callHandler');
  if (source.isClosed) return;
  if (isByteStream(streamed)) assertLength(streamed);
  const response = isByteStream(streamed) ? prepareDownload(exchange, given, streamed) : given;
  const valid = validateResponse(exchange, response, options.mode);
  const body = valid.streamed;
  if (body === undefined) return send(exchange, valid);
  if (isByteStream(body)) return sendBytes(exchange, source, body, options.watchCaller, () => begin(exchange, valid, body.length));
  const { id } = operationOf(exchange);
  return sendItems(exchange, source, body, {
    streams: options.streams,
    watchCaller: options.watchCaller,
    begin: () => beginItems(exchange, valid),
    formatError: (error) => options.formatError(exchange, error),
    toError: (problems) => {
      if (options.mode === 'strict') return new InvalidResponseError(id, valid.status, problems);
      if (options.mode === 'log') exchange.log.error({ operation: id, status: valid.status, problems }, 'an item breaks the contract');
      return undefined;
    },
  });
}

function begin(exchange: Exchange, { status, headers, type }: ValidatedResponse, length?: number): void {
  headers.set('Content-Type', type ?? 'application/octet-stream');
  if (length !== undefined) headers.set('Content-Length', String(length));
  exchange.move('sending');
  if (!exchange.request.complete) discardBody(exchange, headers);
  beginResponse(exchange, status, belowBase(headers, exchange.base));
}

/** What is between keeps nothing of it, and passes on each item at once (nginx reads the second field). */
function beginItems(exchange: Exchange, valid: ValidatedResponse): void {
  const { headers } = valid;
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache');
  headers.set('X-Accel-Buffering', 'no');
  begin(exchange, valid);
}

/**
 * Waits for the first bytes, so that what cannot be opened is an error of the contract. After them an error cuts the connection off, and is
 * logged: a response that has begun cannot say that it failed.
 *
 * @param begin writes the head.
 */
async function sendBytes(
  exchange: Exchange,
  source: ReplySource,
  { stream, length }: ByteStream,
  watchCaller: WatchCaller,
  begin: () => void,
): Promise<void> {
  const { response } = exchange;
  if (exchange.request.method === 'HEAD') {
    begin();
    return void response.end();
  }
  const bytes = await source.openBytes(stream);
  if (bytes === undefined) return;
  await Promise.race([waitUntilReadable(bytes), source.closed]);
  if (source.isClosed) return;
  source.isStreaming = true;
  begin();
  const unwatch = watchCaller(exchange, (error) => bytes.destroy(error));
  let isClientGone = false;
  bytes.once('error', () => (isClientGone = exchange.isClosed));
  const end = (error?: NodeJS.ErrnoException | null) => {
    unwatch();
    // That the client went away is in the log line of the request.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && !isClientGone && !source.isClosing)
      exchange.log.error({ operation: exchange.operation?.id, err: error }, 'the download was cut off');
  };
  if (length === undefined) pipeline(bytes, response, end);
  else pipeline(bytes, new ExactLength(length), response, end);
}

/** The methods whose response is a representation (RFC 9110, section 13.1; RFC 10008, section 2.6). */
const CONDITIONAL: readonly string[] = ['GET', 'HEAD', 'QUERY'];

/**
 * The response to a request for bytes.
 *
 * A range is served if the operation declares 206, and the handler gives a function that opens the bytes, and their length. Conditions are
 * those of the handler's `ETag` and `Last-Modified`; 304 is answered where the operation declares it.
 *
 * @throws AppError precondition_failed; range_not_satisfiable for a range that there is not, and for several at once.
 */
function prepareDownload(exchange: Exchange, given: UnvalidatedResponse, streamed: ByteStream): UnvalidatedResponse {
  const { request, headers } = exchange;
  const { length, stream } = streamed;
  const { responses } = operationOf(exchange);
  if (given.status !== 200 || !CONDITIONAL.includes(request.method)) return withName(exchange, given, streamed);
  const own = HeaderFields.of(given.headers);
  const status = evaluateConditions(request.headers, own, '304' in responses);
  if (status === 412) throw new DownloadRefusal('precondition_failed', CHANGED);
  if (status === 304) return { status, headers: given.headers, type: undefined, body: undefined };
  if (!('206' in responses) || length === undefined || typeof stream !== 'function') return withName(exchange, given, streamed);
  headers.set('Accept-Ranges', 'bytes');
  const { range } = request.headers;
  // HEAD has no range (RFC 9110, section 14.2); QUERY has (RFC 10008, section 2.8).
  if (range === undefined || request.method === 'HEAD' || !matchesIfRange(request.headers, own)) return withName(exchange, given, streamed);
  const ranges = parseByteRanges(range, length);
  // A field that is malformed is ignored.
  if (ranges === undefined) return withName(exchange, given, streamed);
  const [only, ...others] = ranges;
  if (only === undefined || others.length > 0) {
    const message = only === undefined ? `header/Range is not within the ${length} bytes` : 'header/Range must have one range';
    throw new DownloadRefusal('range_not_satisfiable', message, { headers: { 'Content-Range': `bytes */${length}` } });
  }
  headers.set('Content-Range', `bytes ${only.start}-${only.end}/${length}`);
  const part = { ...streamed, length: only.end - only.start + 1, stream: () => stream(only) };
  return withName(exchange, { ...given, status: 206, streamed: part }, streamed);
}

const CHANGED = 'the content is not as header/If-Match or header/If-Unmodified-Since asks for';

/** What is sent has its name (RFC 6266). */
function withName({ headers }: Exchange, response: UnvalidatedResponse, { filename, disposition }: ByteStream): UnvalidatedResponse {
  if (filename !== undefined || disposition !== undefined)
    headers.set('Content-Disposition', contentDisposition(filename, { type: disposition ?? 'attachment' }));
  return response;
}

/**
 * Reads `Range`. A suffix that is longer than the content is all of it, and a last position beyond its end is the end (section 14.1.2).
 *
 * @param length of the content, in bytes. @returns the ranges that there are; `undefined` for a field to ignore: of another unit, malformed,
 *   or with a range whose end is before its start (section 14.1.1).
 */
function parseByteRanges(header: string, length: number): ByteRange[] | undefined {
  const unit = /^bytes=/i.exec(header);
  if (unit === null) return undefined;
  // A list may have empty elements (section 5.6.1).
  const specs = header.slice(unit[0].length).split(',').map((spec) => spec.trim()).filter((spec) => spec !== ''); // prettier-ignore
  const ranges = specs.map((spec) => parseRange(spec, length));
  if (ranges.length === 0 || ranges.includes('invalid')) return undefined;
  return ranges.filter((range) => typeof range === 'object');
}

function parseRange(spec: string, length: number): ByteRange | 'invalid' | 'unsatisfiable' {
  const found = /^(\d*)-(\d*)$/.exec(spec);
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return 'invalid';
  if (first === '') {
    const suffix = Math.min(Number(last), length);
    return suffix === 0 ? 'unsatisfiable' : { start: length - suffix, end: length - 1 };
  }
  const start = Number(first);
  if (last !== '' && isBefore(last, first)) return 'invalid';
  return start >= length ? 'unsatisfiable' : { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}

/** Compares texts of digits, which may be too long for a number. */
const isBefore = (one: string, other: string): boolean => BigInt(one) < BigInt(other);

/** Resolves when a stream has its first bytes, or its end. @throws what opening it has failed with. */
function waitUntilReadable(stream: Readable): Promise<void> {
  if (stream.readableLength > 0 || stream.readableEnded) return Promise.resolve();
  if (stream.errored !== null) return Promise.reject(stream.errored);
  return new Promise((resolve, reject) => {
    const done = (error?: Error) => {
      stream.off('readable', onReady).off('end', onReady).off('close', onReady).off('error', done);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onReady = () => done();
    stream.on('readable', onReady).on('end', onReady).on('close', onReady).on('error', done);
  });
}

/**
 * Passes bytes on, and fails if they are not as many as was said. The last ones wait for the end: with them the client would take what it has for
 * whole.
 */
class ExactLength extends Transform {
  readonly #length: number;
  #passed = 0;
  #last: Buffer | undefined = undefined;

  /** @param length in bytes. */
  constructor(length: number) {
    super();
    this.#length = length;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#passed += chunk.length;
    if (this.#passed > this.#length) return callback(new Error(`the stream has more than the ${this.#length} bytes that its length says`));
    if (this.#passed < this.#length) return callback(null, chunk);
    this.#last ??= chunk;
    callback();
  }

  override _flush(callback: TransformCallback): void {
    const isWhole = this.#passed === this.#length;
    if (isWhole) callback(null, this.#last);
    else callback(new Error(`the stream has ended after ${this.#passed} of the ${this.#length} bytes that its length says`));
  }
}
