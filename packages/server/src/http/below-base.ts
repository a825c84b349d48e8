/** Paths in response headers, below the path that a contract is served at. */
import type { HeaderFields } from '@specwright/contract';

/** A target that begins with one slash (RFC 3986, section 4.2), in a header that is one; and that of a link (RFC 8288, section 3). */
const TARGETS = [
  ['Location', /^()\/(?!\/)/],
  ['Content-Location', /^()\/(?!\/)/],
  ['Link', /(<)\/(?!\/)/g],
] as const;

/**
 * Puts `base` before each path in `Location`, `Content-Location` and `Link`: a handler gives the paths of its contract.
 *
 * @returns `headers` if there is none.
 */
export function belowBase(headers: HeaderFields, base: string): HeaderFields {
  let copy: HeaderFields | undefined;
  for (const [name, target] of TARGETS) {
    const value = headers.get(name);
    const changed = value?.replace(target, (_, before: string) => `${before}${base}/`);
    if (changed !== undefined && changed !== value) copy = (copy ?? headers.copy()).set(name, changed);
  }
  return copy ?? headers;
}

/** The reverse, of one header: for a handler that puts `base` before its paths, as those of Express do with `req.baseUrl`. */
export function withoutBaseBefore(name: string, value: string, base: string): string {
  if (name === 'link') return value.replaceAll(`<${base}/`, '</');
  const isPath = name === 'location' || name === 'content-location';
  return isPath && value.startsWith(`${base}/`) ? value.slice(base.length) : value;
}
