/** Parses a field value with parameters, such as `form-data; name="a"`, and refuses what two readers could read differently. */

interface FieldWithParameters {
  /** Before the first semicolon, in lower case. */
  readonly value: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** How quotes are written in quoted strings: `\"` in header fields (RFC 9110, section 5.6.4), `%22` in parts (RFC 7578, section 5.1). */
type Quoting = 'backslash' | 'percent';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const [BACKSLASH, QUOTE] = [0x5c, 0x22];

/**
 * Unquoted values may have more characters than a token, as boundaries do in practice; quotes are none of them.
 *
 * @returns `undefined` if a parameter is given twice, if a quoted string has no end, or if another thing than `;` follows it.
 */
export function parseFieldParameters(text: string, quoting: Quoting): FieldWithParameters | undefined {
  const parameters = new Map<string, string>();
  let at = endOf(text, ';', 0);
  const value = trimBlanks(text.slice(0, at)).toLowerCase();
  while (at < text.length) {
    const start = skipBlanks(text, at + 1);
    if (start === text.length || text[start] === ';') {
      // An empty parameter (RFC 9110, section 5.6.6).
      at = start;
      continue;
    }
    const equals = text.indexOf('=', start);
    const name = trimBlanks(text.slice(start, Math.max(start, equals))).toLowerCase();
    if (!NAME.test(name) || parameters.has(name)) return undefined;
    const valueStart = skipBlanks(text, equals + 1);
    if (text.charCodeAt(valueStart) === QUOTE) {
      const end = endOfQuoted(text, valueStart, quoting);
      at = skipBlanks(text, end);
      if (end === 0 || (at < text.length && text[at] !== ';')) return undefined;
      parameters.set(name, UNQUOTE[quoting](text.slice(valueStart + 1, end - 1)));
    } else {
      at = endOf(text, ';', valueStart);
      const unquoted = trimBlanks(text.slice(valueStart, at));
      if (unquoted.includes('"')) return undefined;
      parameters.set(name, unquoted);
    }
  }
  return { value, parameters };
}

/** Without the blanks and tabs at both ends (OWS, RFC 9110, section 5.6.3), in linear time. */
export function trimBlanks(text: string): string {
  const start = skipBlanks(text, 0);
  let end = text.length;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text[at])) at++;
  return at;
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

function endOf(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from);
  return at === -1 ? text.length : at;
}

/** @returns the index after the closing quote; 0 if there is none. */
function endOfQuoted(text: string, start: number, quoting: Quoting): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH && quoting === 'backslash') at++;
  }
  return 0;
}

const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' };

const UNQUOTE: Readonly<Record<Quoting, (quoted: string) => string>> = {
  backslash: (quoted) => quoted.replace(/\\(.)/gs, '$1'),
  percent: (quoted) => quoted.replace(/%(?:22|0[da])/gi, (escaped) => ESCAPED[escaped.toLowerCase()] as string),
};

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
