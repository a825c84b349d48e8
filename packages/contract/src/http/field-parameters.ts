/** Parses a field value with parameters, such as `form-data; name="a"`, and refuses what two readers could read differently. */

interface FieldWithParameters {
  /** Before the first semicolon, in lower case. */
  readonly value: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** How quotes are written in quoted strings: `\"` in header fields (RFC 9110, section 5.6.4), `%22` in parts (RFC 7578, section 5.1). */
type Quoting = 'backslash' | 'percent';

/**
 * One parameter up to the next semicolon: a name with a quoted string or an unquoted value, or nothing (RFC 9110, section 5.6.6). Each
 * character can be matched in one way, so the time is linear.
 */
const parameterWith = (quoted: string): RegExp =>
  new RegExp(`[ \\t]*(?:([!#$%&'*+.^_\`|~0-9A-Za-z-]+)[ \\t]*=[ \\t]*(?:"(${quoted})"[ \\t]*|([^;" \\t][^;"]*|)))?(?:;|$)`, 'sy');

const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' };

const QUOTED = {
  backslash: {
    parameter: parameterWith('[^"\\\\]*(?:\\\\.[^"\\\\]*)*'),
    escape: '\\',
    unescape: (text: string) => text.replace(/\\(.)/gs, '$1'),
  },
  percent: {
    parameter: parameterWith('[^"]*'),
    escape: '%',
    unescape: (text: string) => text.replace(/%(?:22|0[da])/gi, (escaped) => ESCAPED[escaped.toLowerCase()] as string),
  },
} as const;

/**
 * Unquoted values may have more characters than a token, as boundaries do in practice; quotes are none of them.
 *
 * @returns `undefined` if a parameter is given twice, if a quoted string has no end, or if another thing than `;` follows it.
 */
export function parseFieldParameters(text: string, quoting: Quoting): FieldWithParameters | undefined {
  const { parameter, escape, unescape } = QUOTED[quoting];
  const parameters = new Map<string, string>();
  const end = text.indexOf(';');
  const value = trimBlanks(end === -1 ? text : text.slice(0, end)).toLowerCase();
  for (let at = end === -1 ? text.length : end + 1; at < text.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const match = parameter.exec(text);
    if (match === null) return undefined;
    const [, name, quoted, unquoted = ''] = match;
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    if (quoted === undefined) parameters.set(key, trimBlanks(unquoted));
    else parameters.set(key, quoted.includes(escape) ? unescape(quoted) : quoted);
  }
  return { value, parameters };
}

const [TAB, BLANK] = [0x09, 0x20];

/** Without the blanks and tabs at both ends (OWS, RFC 9110, section 5.6.3), in linear time. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  for (let code = text.charCodeAt(start); code === BLANK || code === TAB; code = text.charCodeAt(start)) start++;
  for (let code = text.charCodeAt(end - 1); end > start && (code === BLANK || code === TAB); code = text.charCodeAt(end - 1)) end--;
  return text.slice(start, end);
}

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
    const values = cookies.get(name);
    if (values === undefined) cookies.set(name, [value]);
    else values.push(value);
  }
  return cookies;
}
