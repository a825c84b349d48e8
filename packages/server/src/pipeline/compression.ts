/** Pipeline step: decides how the body of the response may be encoded; and the encoding of it. */
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { CODINGS, preferredCoding, type ContentCoding } from '../http/accept-encoding.ts';
import { withoutCodings } from '../http/conditional.ts';
import type { HeaderFields } from '@specwright/contract';
import type { Step } from './step.ts';

/** Smaller bodies fit in a packet anyway. */
export const MIN_COMPRESSED_BYTES = 1024;
/** A larger body is compressed in another thread: up to here that costs more than it saves. */
const MAX_SYNC_BYTES = 64 * 1024;

/** Of either the level at which time and size are in proportion: 20 to 60 µs for 3 to 17 KB of JSON. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const GZIP = { level: 3 };
/** A window of 256 KiB: with the usual 4 MiB, 16 bodies of 200 KB at once take three times as long for the same bytes. */
const BROTLI_LATER = { chunkSize: MAX_SYNC_BYTES, params: { ...BROTLI.params, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const brotliLater = promisify(brotliCompress);
const gzipLater = promisify(gzip);

/**
 * Decides it by `Accept-Encoding`. Clients send few different ones.
 *
 * Handlers know the tags of what is not encoded: conditions name those. A read is 304 only for what could be sent now; a write is of a
 * record, in whatever coding it was read.
 */
export function negotiateCoding(): Step<'coding'> {
  let lastAccept: string | undefined;
  let lastCoding: ContentCoding | 'identity' = 'identity';
  return (exchange) => {
    const { headers } = exchange.request;
    const accept = headers['accept-encoding'];
    if (accept !== lastAccept) {
      lastAccept = accept;
      lastCoding = preferredCoding(lastAccept) ?? 'identity';
    }
    exchange.coding = lastCoding;
    const { 'if-match': match, 'if-none-match': noneMatch } = headers;
    if (match !== undefined) headers['if-match'] = withoutCodings(match, CODINGS);
    if (noneMatch !== undefined) headers['if-none-match'] = withoutCodings(noneMatch, [lastCoding]);
  };
}

/** A response with one of these is encoded already, or they are of its bytes (RFC 9110, section 14.4; RFC 9530). */
const OF_BYTES = ['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5'];

/**
 * Whether a response may be encoded: it is not yet, and has no secret. What must not be stored may have one,
 * whose length would tell about it beside what the client has sent (BREACH).
 */
export function isCompressible(headers: HeaderFields): boolean {
  if (OF_BYTES.some((name) => headers.has(name))) return false;
  return !/\bno-(store|transform)\b/i.test(headers.get('Cache-Control') ?? '');
}

/** Types of bytes that are compressed already, as pictures and archives are. */
export const isCompressibleType = (type: string): boolean =>
  /^text\/|[/+](json|xml|yaml|csv|javascript)\b|^application\/(x-ndjson|jsonl)\b/i.test(type);

/** @returns a promise for a large body. */
export function compress(body: string | Buffer, coding: ContentCoding): Buffer | Promise<Buffer> {
  if (body.length <= MAX_SYNC_BYTES) return coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP);
  return coding === 'br' ? brotliLater(body, BROTLI_LATER) : gzipLater(body, GZIP);
}
