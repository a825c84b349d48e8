/** The target of a request, split into path and query, and its version of HTTP. */
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
