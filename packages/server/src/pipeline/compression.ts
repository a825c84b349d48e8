/** The coding of a response: how its client has it encoded, which responses may be, and what caches are told of it. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { CODINGS, preferredCoding, type ContentCoding } from '../http/accept-encoding.ts';
import { codedTag, withoutCodings } from '../http/coded-tags.ts';
import { headerValues } from '../http/request-head.ts';
import type { HeaderFields } from '@specwright/contract';

/** A larger body is compressed in another thread: up to here that costs more than it saves. */
const MAX_SYNC_BYTES = 64 * 1024;

/** Of either the level at which time and size are in proportion: 20 to 60 µs for 3 to 17 KB of JSON. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const GZIP = { level: 3 };
/** A window of 256 KiB: with the usual 4 MiB, 16 bodies of 200 KB at once take three times as long for the same bytes. */
const BROTLI_LATER = { chunkSize: MAX_SYNC_BYTES, params: { ...BROTLI.params, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const brotliLater = promisify(brotliCompress);
const gzipLater = promisify(gzip);

type Coding = ContentCoding | 'identity';

let lastAccept: string | undefined;
let lastCoding: Coding = 'identity';

/** How the body of the response may be encoded. Clients send few different `Accept-Encoding`. */
function codingOf({ headers }: IncomingMessage): Coding {
  const accept = headers['accept-encoding'];
  if (accept !== lastAccept) {
    lastAccept = accept;
    lastCoding = preferredCoding(accept) ?? 'identity';
  }
  return lastCoding;
}

/**
 * Handlers know the tags of what is not encoded: conditions name those. A read is 304 only for what could be sent now; a write is of a
 * record, in whatever coding it was read.
 */
export function removeCodings(request: IncomingMessage): void {
  const { headers } = request;
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined) headers['if-match'] = withoutCodings(match, CODINGS);
  if (noneMatch !== undefined) headers['if-none-match'] = withoutCodings(noneMatch, [codingOf(request)]);
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
const isCompressibleType = (type: string): boolean =>
  /^text\/|[/+](json|xml|yaml|csv|javascript)\b|^application\/(x-ndjson|jsonl)\b/i.test(type);

/** @returns a promise for a large body. */
function compress(body: string | Buffer, coding: ContentCoding): Buffer | Promise<Buffer> {
  if (body.length <= MAX_SYNC_BYTES) return coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP);
  return coding === 'br' ? brotliLater(body, BROTLI_LATER) : gzipLater(body, GZIP);
}

/** Another client gets another coding of it, and a cache has to know (RFC 9110, section 12.5.5). */
const VARY = 'Accept-Encoding';

/** A response whose body is text or bytes. */
export interface TextResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** The headers as the text of a head, if they are only to be written. */
  readonly head?: string | undefined;
  readonly type: string | undefined;
  readonly text: string | Buffer | undefined;
}

/** @param response a 304, or one that is worth it. @returns it as its client has it encoded; a promise for a large body. */
export function encode(request: IncomingMessage, response: TextResponse): TextResponse | Promise<TextResponse> {
  const { status, headers, text, type } = response;
  if (status === 304) tagAsStored(request, headers);
  if (text === undefined || !isCompressible(headers) || !isCompressibleType(type ?? '')) return response;
  const coding = codingOf(request);
  if (coding === 'identity') {
    const head = response.head === undefined || headers.has('Vary') ? undefined : `${response.head}\r\nVary: ${VARY}`;
    return { ...response, headers: headers.append('Vary', VARY), head };
  }
  headers.append('Vary', VARY).set('Content-Encoding', coding);
  const tag = headers.get('ETag');
  if (tag !== undefined) headers.set('ETag', codedTag(tag, coding));
  const toResponse = (bytes: Buffer): TextResponse => ({ ...response, head: undefined, text: bytes });
  const compressed = compress(text, coding);
  return Buffer.isBuffer(compressed) ? toResponse(compressed) : compressed.then(toResponse);
}

/** A 304 has the tag of the response that its client has (RFC 9111, section 4.3.4), which was encoded if its tag says so. */
function tagAsStored(request: IncomingMessage, headers: HeaderFields): void {
  const tag = headers.get('ETag');
  const coding = codingOf(request);
  if (tag === undefined || coding === 'identity') return;
  const stored = codedTag(tag, coding);
  if (headerValues(request, 'if-none-match').some((tags) => tags.includes(stored))) headers.set('ETag', stored).append('Vary', VARY);
}
