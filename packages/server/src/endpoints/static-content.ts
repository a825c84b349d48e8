/** What a server has that does not change: asked for again it is 304, and it is compressed once. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { preferredCoding } from '../http/accept-encoding.ts';
import { etag, isFresh } from '../http/conditional.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { send } from '../pipeline/send-response.ts';

const compress = promisify(gzip);

export interface StaticContent {
  readonly bytes: Buffer;
  readonly compressed: Buffer;
  /** Another for each content. */
  readonly version: string;
}

export async function staticContent(bytes: Buffer): Promise<StaticContent> {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, compressed: await compress(bytes, { level: 9 }), version };
}

/** Caches ask each time whether it is the same (RFC 9111, section 5.2.2.4), so that a new version is seen at once. */
export function sendStaticContent(exchange: Exchange, { bytes, compressed, version }: StaticContent, type: string): void {
  const { request } = exchange;
  const isCompressed = preferredCoding(request.headers['accept-encoding'], ['gzip']) !== undefined;
  const tag = { version: isCompressed ? `${version}.gzip` : version };
  const headers = exchange.headers.with({ Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache', ETag: etag(tag) });
  if (isFresh(request.headers['if-none-match'], tag)) return send(exchange, { status: 304, headers, type: undefined, body: undefined });
  if (isCompressed) headers.set('Content-Encoding', 'gzip');
  send(exchange, { status: 200, headers, type, text: isCompressed ? compressed : bytes });
}
