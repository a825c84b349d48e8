/** The format `url`, as ajv-formats has it, in linear time: its expression takes time in proportion to the square of the text, or worse. */

const SCHEME = /^(?:https?|ftp):\/\//iu;

/** Host and port: what is between the `@` of user information, if there is one, and the first `/`. */
const AUTHORITY =
  /^(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?$/iu;

/** An absolute URL of http, https or ftp, whose host is a public IPv4 address or a name with a dot. */
export function isUrl(text: string): boolean {
  const [scheme] = SCHEME.exec(text) ?? [];
  if (scheme === undefined) return false;
  const firstBlank = indexOf(text, /\s/g, scheme.length);
  const lastBlank = lastIndexOf(text, /\s/);
  // User information may contain `/` and `@`. Each authority that is tried ends at the first of them, so no character is in two.
  for (let start = scheme.length; start <= text.length;) {
    const end = indexOf(text, /[/@]/g, start);
    const isUserInfo = text.charAt(end) === '@';
    if (!isUserInfo && lastBlank < end && AUTHORITY.test(text.slice(start, end))) return true;
    const at = isUserInfo ? end : indexOf(text, /@/g, end);
    // There is at least one character of it, and none is blank.
    start = (at === scheme.length ? indexOf(text, /@/g, at + 1) : at) + 1;
    if (start > firstBlank) return false;
  }
  return false;
}

/** Of the first match at a position or behind it; the length of the text if there is none. */
function indexOf(text: string, expression: RegExp, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? text.length;
}

function lastIndexOf(text: string, expression: RegExp): number {
  let index = text.length - 1;
  while (index >= 0 && !expression.test(text.charAt(index))) index--;
  return index;
}
