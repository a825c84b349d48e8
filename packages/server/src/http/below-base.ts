/** Paths in response headers, below the path that a contract is served at. */
import type { HeaderList } from './header-list.ts';

/** A target that begins with one slash (RFC 3986, section 4.2), in a header that is one. */
const TARGET = /^\/(?!\/)/;
/** The same, of a link (RFC 8288, section 3). */
const LINK_TARGET = /<\/(?!\/)/g;

/**
 * Puts `base` before each path in `Location`, `Content-Location` and `Link`: a handler gives the paths of its contract.
 *
 * @returns `headers` if there is none.
 */
export function belowBase(headers: HeaderList, base: string): HeaderList {
  let copy: HeaderList | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] as string;
    const changed = valueBelow((headers[i] as string).toLowerCase(), value, base);
    if (changed !== value) (copy ??= headers.slice())[i + 1] = changed;
  }
  return copy ?? headers;
}

function valueBelow(name: string, value: string, base: string): string {
  if (name === 'link') return value.replace(LINK_TARGET, `<${base}/`);
  return name === 'location' || name === 'content-location' ? value.replace(TARGET, `${base}/`) : value;
}

/** The reverse, of one header: for a handler that puts `base` before its paths, as those of Express do with `req.baseUrl`. */
export function withoutBaseBefore(name: string, value: string, base: string): string {
  if (name === 'link') return value.replaceAll(`<${base}/`, '</');
  const isPath = name === 'location' || name === 'content-location';
  return isPath && value.startsWith(`${base}/`) ? value.slice(base.length) : value;
}
