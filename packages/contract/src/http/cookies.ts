/** Parses the Cookie header field (RFC 6265, section 4.2.1). */

/**
 * The values of each cookie, in the order in which they were sent: a name may be there twice, and the first is the one with
 * the longer path (section 5.4).
 *
 * A value loses the quotes that its grammar allows around it (section 4.1.1). It is not decoded: RFC 6265 gives it no encoding.
 * What has no `=` is not a cookie.
 */
export function parseCookies(header: string | readonly string[] | undefined): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  for (const pair of [header ?? []].flat().join(';').split(';')) {
    const separator = pair.indexOf('=');
    if (separator === -1) continue;
    const name = pair.slice(0, separator).trim();
    const value = pair
      .slice(separator + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
    cookies.set(name, [...(cookies.get(name) ?? []), value]);
  }
  return cookies;
}
