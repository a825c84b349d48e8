/** Reads a body whole: within its limit, and within the budget of all bodies if it does not come in one packet. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { isAppError, FrameworkError } from '@specwright/contract/runtime';
import { wasReset } from '../../http/request-head.ts';
import { incomingOf, type Exchange, type Sets } from '../exchange.ts';
import type { ExchangeLifecycle } from '../exchange-lifecycle.ts';
import type { BodyBudget } from './body-budget.ts';
import { bodyTooLarge, ClientGoneError, notDecompressed } from './body-errors.ts';
import type { BodyLease } from './body-lease.ts';
import { LEAST_BYTES_PER_SECOND } from './least-rate.ts';

export interface ReadOptions {
  readonly maxBytes: number;
  readonly lifecycle: Pick<ExchangeLifecycle, 'awaitClient' | 'received'>;
  readonly budget: BodyBudget;
}

/** What decompresses to no more takes nothing of the budget. */
const FREE_BYTES = 64 * 1024;

/** Reads what has arrived already, as most bodies have by now. @throws AppError body_too_large; ClientGoneError */
export function readComplete({ request }: Exchange, maxBytes: number): Buffer {
  if (wasReset(request)) throw new ClientGoneError();
  const bytes = (request.read() ?? NO_BYTES) as Buffer;
  if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
  return bytes;
}

/** What few clients send, loaded for the first. @throws AppError invalid_request if the bytes are not those of Content-Digest. */
export async function verifyDigest({ request }: Exchange, bytes: Buffer = NO_BYTES): Promise<void> {
  const digest = request.headers['content-digest'];
  if (digest === undefined) return;
  const { verifyContentDigest } = await import('../../http/content-digest.ts');
  verifyContentDigest(String(digest), bytes);
}

/** @throws AppError body_too_large, invalid_request; service_unavailable if the budget has no room in time. */
export async function readAll(exchange: Sets<'incoming'>, options: ReadOptions, coding: ContentCodingName | undefined): Promise<Buffer> {
  const { maxBytes } = options;
  const bytes = exchange.request.complete ? readComplete(exchange, maxBytes) : await readLater(exchange, options, coding);
  if (exchange.request.headers['content-digest'] !== undefined) await verifyDigest(exchange, bytes);
  return coding === undefined ? bytes : decompress(exchange, bytes, options, coding);
}

async function readLater(
  exchange: Sets<'incoming'>,
  { maxBytes, lifecycle, budget }: ReadOptions,
  coding: ContentCodingName | undefined,
): Promise<Buffer> {
  const { request } = exchange;
  if (request.destroyed) throw new ClientGoneError();
  lifecycle.awaitClient(exchange);
  const sent = Number(request.headers['content-length'] ?? maxBytes);
  const need = coding === undefined ? sent : sent + maxBytes;
  const lease = openLease(exchange, budget, need);
  const bytes = await read(exchange, maxBytes, budget, lease);
  if (coding === undefined) budget.complete(lease, bytes.length);
  await lifecycle.received(exchange);
  return bytes;
}

/** What the body of a request gets of the budget, until the request has ended. @param need the most bytes that it may take. */
function openLease(exchange: Sets<'incoming'>, budget: BodyBudget, need: number): BodyLease {
  const lease = budget.open(need, exchange.service.bucketOf(exchange));
  incomingOf(exchange).lease = lease;
  exchange.onRelease('work', () => budget.release(lease));
  return lease;
}

async function decompress(
  exchange: Sets<'incoming'>,
  bytes: Buffer,
  { maxBytes, budget }: ReadOptions,
  coding: ContentCodingName,
): Promise<Buffer> {
  const opened = exchange.incoming?.lease;
  const lease = maxBytes > FREE_BYTES ? (opened ?? openLease(exchange, budget, maxBytes)) : opened;
  try {
    if (lease !== undefined) await budget.acquire(lease, maxBytes);
    const decompressed = await DECOMPRESS[coding](bytes, { maxOutputLength: maxBytes });
    if (lease !== undefined) budget.complete(lease, decompressed.length);
    return decompressed;
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? bodyTooLarge(maxBytes) : notDecompressed(cause);
  }
}

const NO_BYTES = Buffer.alloc(0);

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Bytes on the wire count too: no body is smaller than it is compressed by more than a few bytes. */
const DECOMPRESS: Readonly<Record<ContentCodingName, Decompress>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** The bytes of a body as they are sent, read no faster than the budget has room for them. */
function read({ request }: Exchange, maxBytes: number, budget: BodyBudget, lease: BodyLease): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer(Math.min(Number(request.headers['content-length'] ?? maxBytes), maxBytes));
    let pendingBytes = 0;
    const fail = (error: Error) => end(() => reject(error));
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length > maxBytes) return fail(bodyTooLarge(maxBytes));
      body.append(chunk);
      const waiting = budget.acquire(lease, chunk.length);
      if (waiting === undefined) return;
      pendingBytes = chunk.length;
      request.pause();
      waiting.then(() => {
        pendingBytes = 0;
        request.resume();
      }, fail);
    };
    const onClose = () => fail(new ClientGoneError());
    const onEnd = () => (wasReset(request) ? onClose() : end(() => resolve(body.bytes())));
    const arriving = {
      lease,
      get receivedBytes() {
        return body.length;
      },
      // A few bytes that wait for room are no excuse: in a full budget slow bodies would wait for each other.
      get isAwaited() {
        return pendingBytes < LEAST_BYTES_PER_SECOND && !request.complete;
      },
      refuse: (error: Error) => {
        lease.isRefused = true;
        fail(error);
      },
    };
    const end = (resolveOrReject: () => void) => {
      budget.arriving.delete(arriving);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolveOrReject();
    };
    budget.arriving.add(arriving);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Much, because what is not written takes no memory, and what was outgrown takes some until it is collected. */
const GROWTH = 64;

/** Bytes in one piece: those of a list would take twice the memory when they are put together. */
class GrowingBuffer {
  length = 0;
  readonly #max: number;
  #buffer: Buffer = NO_BYTES;

  constructor(max: number) {
    this.#max = max;
  }

  append(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.min(GROWTH * length, this.#max)));
        this.#buffer.copy(larger, 0, 0, this.length);
        this.#buffer = larger;
      }
      chunk.copy(this.#buffer, this.length);
    }
    this.length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }
}

export type ContentCodingName = 'gzip' | 'deflate' | 'br';

/** @returns how a body has to be decompressed; `undefined` if it is not compressed. @throws AppError unsupported_content_type */
export function contentCodingOf(field: string | undefined): ContentCodingName | undefined {
  const coding = field?.toLowerCase() ?? 'identity';
  if (coding === 'identity') return undefined;
  if (coding === 'gzip' || coding === 'deflate' || coding === 'br') return coding;
  throw new FrameworkError('unsupported_content_type', 'header/Content-Encoding must be gzip, deflate, br or identity');
}
