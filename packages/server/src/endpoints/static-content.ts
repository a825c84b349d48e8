/** What a server has that does not change: asked for again it is 304, and it is compressed once. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type ContentCoding, preferredCoding } from '../http/accept-encoding.ts';
import { etag, isFresh } from '../http/conditional.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { send } from '../pipeline/send-response.ts';

/** A fifth of a second for the script of Swagger UI, which is a seventh smaller than by gzip; the highest takes four seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export interface StaticContent {
  readonly bytes: Buffer;
  readonly encoded: Readonly<Record<ContentCoding, Buffer>>;
  /** Another for each content. */
  readonly version: string;
}

export async function staticContent(bytes: Buffer): Promise<StaticContent> {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const [br, gzipped] = await Promise.all([compressBrotli(bytes, BROTLI), compressGzip(bytes, { level: 9 })]);
  return { bytes, encoded: { br, gzip: gzipped }, version };
}

/** Caches ask each time whether it is the same (RFC 9111, section 5.2.2.4), so that a new version is seen at once. */
export function sendStaticContent(exchange: Exchange, { bytes, encoded, version }: StaticContent, type: string): void {
  const { request } = exchange;
  const coding = preferredCoding(request.headers['accept-encoding']);
  const tag = { version: coding === undefined ? version : `${version}.${coding}` };
  const headers = exchange.headers.with({ Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache', ETag: etag(tag) });
  if (isFresh(request.headers['if-none-match'], tag)) return send(exchange, { status: 304, headers, type: undefined, body: undefined });
  if (coding !== undefined) headers.set('Content-Encoding', coding);
  send(exchange, { status: 200, headers, type, text: coding === undefined ? bytes : encoded[coding] });
}
