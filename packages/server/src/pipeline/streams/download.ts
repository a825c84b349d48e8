/** A download: what of it is sent, by the conditions and the range of the request (RFC 9110, sections 13 and 14). */
import { create as contentDisposition } from 'content-disposition';
import parseRange from 'range-parser';
import type { ByteStream } from '../../contract/responses/streamed-body.ts';
import type { UnvalidatedResponse } from '../../contract/types/handler-response.ts';
import { FrameworkError } from '../../errors.ts';
import { isFresh } from '../../http/conditional.ts';
import { operationOf, type Exchange } from '../exchange.ts';
import { closeUnopened } from './byte-source.ts';

/**
 * The response to a request for bytes.
 *
 * A range is served if the operation declares 206, and the handler gives a function that opens the bytes, and their length. Conditions are
 * those of the handler's `ETag` and `Last-Modified`, where the operation declares 304.
 *
 * @throws AppError range_not_satisfiable for a range that there is not, and for several at once.
 */
export function prepareDownload(exchange: Exchange, given: UnvalidatedResponse, streamed: ByteStream): UnvalidatedResponse {
  const { request, headers } = exchange;
  const { length, stream } = streamed;
  const { responses } = operationOf(exchange);
  if (given.status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return withName(exchange, given, streamed);
  if ('304' in responses && isNotModified(exchange, given)) {
    closeUnopened(stream);
    return { status: 304, headers: given.headers, type: undefined, body: undefined };
  }
  if (!('206' in responses) || length === undefined || typeof stream !== 'function') return withName(exchange, given, streamed);
  headers.push('Accept-Ranges', 'bytes');
  const { range } = request.headers;
  if (range === undefined || request.method !== 'GET' || !/^bytes=/i.test(range) || !matchesIfRange(exchange, given))
    return withName(exchange, given, streamed);
  const ranges = parseRange(length, range);
  // A field that is malformed is ignored (RFC 9110, section 14.2).
  if (ranges === -2) return withName(exchange, given, streamed);
  const [only, ...others] = ranges === -1 ? [] : ranges;
  if (only === undefined || others.length > 0) {
    const message = only === undefined ? `header/Range is not within the ${length} bytes` : 'header/Range must have one range';
    throw new FrameworkError('range_not_satisfiable', message, { headers: { 'Content-Range': `bytes */${length}` } });
  }
  headers.push('Content-Range', `bytes ${only.start}-${only.end}/${length}`);
  const part = { ...streamed, length: only.end - only.start + 1, stream: () => stream(only) };
  return withName(exchange, { ...given, status: 206, streamed: part }, streamed);
}

/** What is sent has its name (RFC 6266). */
function withName({ headers }: Exchange, response: UnvalidatedResponse, { filename, disposition }: ByteStream): UnvalidatedResponse {
  if (filename !== undefined || disposition !== undefined)
    headers.push('Content-Disposition', contentDisposition(filename, { type: disposition ?? 'attachment' }));
  return response;
}

function headerOf({ headers }: UnvalidatedResponse, name: string): string {
  const value = headers[name] ?? headers[name.toLowerCase()];
  return value === undefined ? '' : String(value);
}

function isNotModified({ request }: Exchange, response: UnvalidatedResponse): boolean {
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch !== undefined) return isFresh(ifNoneMatch, { version: opaque(headerOf(response, 'ETag')) });
  return Date.parse(headerOf(response, 'Last-Modified')) <= Date.parse(request.headers['if-modified-since'] ?? '');
}

/** The tag without its quotation marks. */
const opaque = (tag: string): string => tag.replace(/^(W\/)?"|"$/g, '');

/** Whether the client's copy, of which it wants the rest, is this one (RFC 9110, section 13.1.5): weak tags never say so. */
function matchesIfRange({ request }: Exchange, response: UnvalidatedResponse): boolean {
  const ifRange = request.headers['if-range'] as string | undefined;
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === headerOf(response, 'ETag');
  return !ifRange.startsWith('W/') && Date.parse(ifRange) === Date.parse(headerOf(response, 'Last-Modified'));
}
