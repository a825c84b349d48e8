/** The conditions of a request for bytes, in the order of RFC 9110, section 13.2.2. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderFields } from '@specwright/contract';
import { isFresh, precondition } from '../../http/conditional.ts';

/**
 * Compares the conditions with the `ETag` and the `Last-Modified` of a response. A condition on one that it does not have is ignored, as is
 * a malformed date (sections 13.1.3 and 13.1.4).
 *
 * @param has304 whether the operation declares 304. @returns the status that the conditions ask for; `undefined` for the response itself.
 */
export function evaluateConditions(request: IncomingHttpHeaders, response: HeaderFields, has304: boolean): 304 | 412 | undefined {
  const tag = response.get('ETag');
  const modified = dateOf(response.get('Last-Modified'));
  const { 'if-match': match, 'if-none-match': noneMatch } = request;
  if (match !== undefined) {
    if (tag !== undefined && !matchesStrongly(match, tag)) return 412;
  } else if (modified > dateOf(request['if-unmodified-since'])) return 412;
  if (!has304) return undefined;
  if (noneMatch !== undefined) return tag !== undefined && isFresh(noneMatch, { version: opaque(tag) }) ? 304 : undefined;
  return modified <= dateOf(request['if-modified-since']) ? 304 : undefined;
}

/** Whether the client's copy, of which it wants the rest, is this one (RFC 9110, section 13.1.5): weak tags never say so. */
export function matchesIfRange(request: IncomingHttpHeaders, response: HeaderFields): boolean {
  const ifRange = request['if-range'] as string | undefined;
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === response.get('ETag');
  return !ifRange.startsWith('W/') && dateOf(ifRange) === dateOf(response.get('Last-Modified'));
}

/** A weak tag is not the same as any (RFC 9110, section 8.8.3.2). */
const matchesStrongly = (header: string, tag: string): boolean =>
  header.trim() === '*' || (tag.startsWith('"') && precondition({ 'If-Match': header })?.(opaque(tag)) === true);

const opaque = (tag: string): string => tag.replace(/^(W\/)?"|"$/g, '');

/** In ms; NaN, with which every comparison fails, for what is no date. */
const dateOf = (text = ''): number => Date.parse(text);
