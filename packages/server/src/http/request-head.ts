/** The head of a request as it was sent: its target in path and query, its version of HTTP, and all values of a field. */
import type { IncomingMessage } from 'node:http';

export interface RequestTarget {
  /** As it was sent, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
}

export function splitTarget(url: string): RequestTarget {
  const target = url.startsWith('/') ? url : originForm(url);
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return { path: path === '' ? '/' : path, search: mark === -1 ? '' : target.slice(mark + 1) };
}

/** Without scheme and authority, which the absolute form has (RFC 9112, section 3.2). */
const originForm = (target: string): string => target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');

export const withoutBase = ({ path, search }: RequestTarget, base: string): RequestTarget => ({
  path: path.slice(base.length) || '/',
  search,
});

/** Not for those that only say so in the text of HTTP/1, which Node's parser accepts. */
export const isHttp2 = (request: IncomingMessage): boolean => request.httpVersionMajor > 1 && 'stream' in request;

const NONE: readonly string[] = [];

/**
 * The values of a field in the order in which they were sent.
 *
 * Node drops all but the first of repeated fields such as Authorization; they have to be seen to be refused. Its own
 * `headersDistinct` builds the values of all fields to give those of one.
 *
 * @param name in lower case.
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  let values: string[] | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] ?? '';
    if (field.length === name.length && (field === name || field.toLowerCase() === name)) (values ??= []).push(rawHeaders[i + 1] ?? '');
  }
  return values ?? NONE;
}
