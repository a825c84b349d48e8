/** A download: what of it is sent, by the conditions and the range of the request (RFC 9110, sections 13 and 14). */
import { create as contentDisposition } from 'content-disposition';
import { type ByteStream, type UnvalidatedResponse, HeaderFields } from '@specwright/contract';
import { operationOf, type Exchange } from '../exchange.ts';
import { parseByteRanges } from './byte-ranges.ts';
import { closeUnopened } from './byte-source.ts';
import { DownloadRefusal, evaluateConditions, matchesIfRange } from './download-conditions.ts';

/**
 * The response to a request for bytes.
 *
 * A range is served if the operation declares 206, and the handler gives a function that opens the bytes, and their length. Conditions are
 * those of the handler's `ETag` and `Last-Modified`; 304 is answered where the operation declares it.
 *
 * @throws AppError precondition_failed; range_not_satisfiable for a range that there is not, and for several at once.
 */
export function prepareDownload(exchange: Exchange, given: UnvalidatedResponse, streamed: ByteStream): UnvalidatedResponse {
  const { request, headers } = exchange;
  const { length, stream } = streamed;
  const { responses } = operationOf(exchange);
  if (given.status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return withName(exchange, given, streamed);
  const own = HeaderFields.of(given.headers);
  const status = evaluateConditions(request.headers, own, '304' in responses);
  if (status === 412) throw new DownloadRefusal('precondition_failed', CHANGED);
  if (status === 304) {
    closeUnopened(stream);
    return { status, headers: given.headers, type: undefined, body: undefined };
  }
  if (!('206' in responses) || length === undefined || typeof stream !== 'function') return withName(exchange, given, streamed);
  headers.set('Accept-Ranges', 'bytes');
  const { range } = request.headers;
  // Range is for GET alone (RFC 9110, section 14.2).
  if (range === undefined || request.method !== 'GET' || !matchesIfRange(request.headers, own)) return withName(exchange, given, streamed);
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
