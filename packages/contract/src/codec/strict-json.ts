/** Parses JSON as I-JSON asks for (RFC 7493): no unpaired surrogates, no property twice, no number that JavaScript would alter. */
import { restoreIntegers } from './big-integer-values.ts';
import { endOfString, jsonTokens, MIN_INEXACT_DIGITS, type JsonPath } from '../json/altered-numbers.ts';

interface StrictJson {
  readonly value: unknown;
  readonly problem: JsonProblem | undefined;
}

interface JsonProblem {
  readonly kind: 'syntax' | 'depth' | 'surrogate' | 'duplicate' | 'number';
  /** What follows the name of the place. */
  readonly message: string;
  readonly path: JsonPath;
  readonly cause?: Error;
}

const refused = (kind: JsonProblem['kind'], message: string, value?: unknown, path: JsonPath = []): StrictJson => ({
  value,
  problem: { kind, message, path },
});

/**
 * The one reader of the JSON of requests: of bodies, items, form fields, parts of multipart bodies and parameters.
 *
 * @param isBigInteger whether integers at a place are `bigint`.
 */
export function parseStrictJson(text: string, isBigInteger: (path: JsonPath) => boolean): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const cause = error as Error;
    return { value: undefined, problem: { kind: 'syntax', message: `is not JSON: ${cause.message.slice(0, 300)}`, path: [], cause } };
  }
  // Before what is recursive: validators, defaults and writers go as deep as the value (RFC 8259, section 9).
  const isComposite = typeof value === 'object' && value !== null;
  const { colons, depth, mayBeAltered } = isComposite ? scan(text) : SCALAR;
  if (depth > MAX_DEPTH) return refused('depth', `is nested deeper than ${MAX_DEPTH} objects and lists`);
  // An escaped half of a surrogate pair is JSON but no text: nothing can store it unchanged (RFC 7493, section 2.1).
  if (text.includes('\\u') && /\\ud[89a-f]/i.test(text) && hasUnpairedSurrogate(text))
    return refused('surrogate', 'has an unpaired surrogate', value);
  // Of a property that is given twice, parsers keep the first, the last or both, so what is validated in one place is not what
  // another one acts on (RFC 8259, section 4; RFC 7493, section 2.3). The value has fewer properties than its text then.
  if (isComposite && colons !== countProperties(value as object)) return refused('duplicate', 'is given twice', value, findDuplicate(text));
  if (!mayBeAltered) return { value, problem: undefined };
  const { value: restored, altered } = restoreIntegers(text, value, isBigInteger);
  if (altered !== undefined) return refused('number', altered.message, restored, altered.path);
  return { value: restored, problem: undefined };
}

function hasUnpairedSurrogate(text: string): boolean {
  let found = false;
  JSON.parse(text, (name, part: unknown) => {
    found ||= !name.isWellFormed() || (typeof part === 'string' && !part.isWellFormed());
    return part;
  });
  return found;
}

const MAX_DEPTH = 1_000;

/** What the text of a value says that the value does not. */
interface Scan {
  /** The colons outside of strings, one for each property that was written. */
  readonly colons: number;
  /** How many objects and lists are in each other. */
  readonly depth: number;
  /** Whether a number has so many digits, or an exponent, that JavaScript may alter it. */
  readonly mayBeAltered: boolean;
}

/** Of what is neither an object nor a list. */
const SCALAR: Scan = { colons: 0, depth: 0, mayBeAltered: true };

/** Reads the text once for all that is asked of it. */
function scan(text: string): Scan {
  let [colons, depth, deepest] = [0, 0, 0];
  let mayBeAltered = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) {
      const end = text.indexOf('"', i + 1);
      i = text.charCodeAt(end - 1) === BACKSLASH ? endOfString(text, i) - 1 : end;
    } else if (char === COLON) colons++;
    else if (char >= ZERO && char <= NINE) {
      const start = i;
      for (let next = text.charCodeAt(i + 1); next >= ZERO && next <= NINE; next = text.charCodeAt(i + 1)) i++;
      mayBeAltered ||= i - start + 1 >= MIN_INEXACT_DIGITS || (text.charCodeAt(i + 1) | CASE_BIT) === SMALL_E;
    }
    // Brackets and braces differ in the bit of the case.
    else if ((char | CASE_BIT) === OPEN_BRACE) deepest = Math.max(deepest, ++depth);
    else if ((char | CASE_BIT) === CLOSE_BRACE) depth--;
  }
  return { colons, depth: deepest, mayBeAltered };
}

const [QUOTE, ZERO, NINE, COLON, BACKSLASH, SMALL_E] = [34, 48, 57, 58, 92, 101];
const CASE_BIT = 32;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The properties of a value and of all values in it. Not recursive: JSON.parse reads deeper than the stack goes. */
function countProperties(value: object): number {
  let count = 0;
  const rest: object[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (Array.isArray(next)) {
      for (const part of next as unknown[]) if (typeof part === 'object' && part !== null) rest.push(part);
    } else {
      for (const name in next) {
        count++;
        const part = (next as Record<string, unknown>)[name];
        if (typeof part === 'object' && part !== null) rest.push(part);
      }
    }
  }
  return count;
}

/** The path of the first property that its object has already: `items/0/name`. */
function findDuplicate(text: string): JsonPath {
  for (const { isRepeated, path } of jsonTokens(text)) if (isRepeated) return path();
  return [];
}

/** @returns `undefined` for what is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
