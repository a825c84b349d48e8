/** The paths of a contract as regular expressions for the URLs of requests, in the order in which a server prefers them. */
import { parsePathTemplate, shapeWithoutFragment } from '@specwright/contract';
import { decodePercent } from '@specwright/contract/document';

export interface PathMatcher {
  /** Of a URL without its query. */
  readonly expression: RegExp;
  /** The parameters of a URL; `undefined` if it is of another path, or has not the query that the path requires. */
  readonly match: (url: string) => Record<string, string> | undefined;
}

/** @param base the URL that paths are below; one without an origin is that of any. */
export function pathMatcher(base: string, path: string): PathMatcher {
  const template = parsePathTemplate(path);
  // Texts and numbers of parameters take turns.
  const parts = shapeOf(path).split(/\{\d+\}/);
  const expression = new RegExp(`^${basePattern(base)}${parts.map(literalPattern).join('([^/]+?)')}$`);
  const match = (url: string): Record<string, string> | undefined => {
    const { origin, pathname, searchParams } = new URL(url);
    const found = expression.exec(origin + pathname);
    if (found === null || !template.query.every(([name, value]) => searchParams.getAll(name).includes(value))) return undefined;
    return Object.fromEntries(template.names.map((name, i) => [name, decodePercent(found[i + 1] ?? '')]));
  };
  return { expression, match };
}

/**
 * For `sort`: concrete segments come before templated ones (OpenAPI 3.0.3, section 4.7.8.1), of those the ones with more text, and of one
 * path what requires more of the query.
 */
export function comparePaths(a: string, b: string): number {
  const [ranksOfA, ranksOfB] = [ranksOf(a), ranksOf(b)];
  for (let i = 0; i < Math.min(ranksOfA.length, ranksOfB.length); i++) {
    const [one = 0, other = 0] = [ranksOfA[i], ranksOfB[i]];
    if (one !== other) return other - one;
  }
  return parsePathTemplate(b).query.length - parsePathTemplate(a).query.length;
}

const ranksOf = (path: string): number[] =>
  shapeOf(path)
    .split('/')
    .map((segment) => (segment.includes('{') ? segment.replace(/\{\d+\}/g, '').length : Number.MAX_SAFE_INTEGER));

/** As clients send it: without a query or a fragment. */
function shapeOf(path: string): string {
  const template = parsePathTemplate(path);
  return shapeWithoutFragment(template) ?? template.shape;
}

function basePattern(base: string): string {
  const isAbsolute = /^[a-z][a-z\d+.-]*:\/\//i.test(base);
  const text = (isAbsolute ? new URL(base).href : base).replace(/\/$/, '');
  return (isAbsolute ? '' : '[a-z][a-z\\d+.-]*://[^/]+') + text.replace(/[^\w/-]/g, escapeCharacter);
}

/** Clients may encode any of the reserved characters, and all have to encode the others. */
const literalPattern = (text: string): string =>
  decodePercent(text).replace(/[^\w/-]/gu, (character) => `(?:${escapeCharacter(character)}|${encodedPattern(character)})`);

/** By code: MSW takes each opening parenthesis of an expression for that of a group. */
const escapeCharacter = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

const encodedPattern = (character: string): string =>
  [...Buffer.from(character)]
    .map(
      (byte) =>
        `%${byte
          .toString(16)
          .padStart(2, '0')
          .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`,
    )
    .join('');
