/** Finds numbers that JavaScript would alter: what is validated and stored must be what was sent. */

/** The message of an integer that a number would round. */
const INEXACT_INTEGER = `is an integer that a number cannot hold exactly: send one from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const TOO_LARGE = `is larger than every number: send one of at most ${Number.MAX_VALUE}`;

/** `-9223372036854775808`: longer ones are not of int64. */
export const MAX_INT64_LENGTH = 20;
/** Every integer of fewer digits is exact. */
export const MIN_INEXACT_DIGITS = 16;
/** Those of more digits exceed every number. */
const MAX_DIGITS = 309;
const INTEGER = /^-?\d+$/;

/** Whether a number holds an integer exactly, as 9007199254740992 and not 9007199254740993. @param text digits, and `-` before them. */
export function isExact(text: string): boolean {
  if (text.length < MIN_INEXACT_DIGITS) return true;
  const number = Number(text);
  if (Number.isSafeInteger(number)) return true;
  return text.length <= MAX_DIGITS + 1 && Number.isFinite(number) && BigInt(text) === BigInt(number);
}

/**
 * What is wrong with the text of a number, if anything is. A fraction may be rounded: it stands for the nearest number. An integer may not, also
 * where it is written with a fraction or an exponent: `9007199254740993.0`.
 */
export function alterationOf(text: string): string | undefined {
  if (INTEGER.test(text)) return isExact(text) ? undefined : INEXACT_INTEGER;
  const number = Number(text);
  if (!Number.isFinite(number)) return TOO_LARGE;
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER || isShortest(text, number) ? undefined : INEXACT_INTEGER;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Whether a text beyond the exact integers is a fraction, or has the digits of the number that it is read as, which programs write for it. */
function isShortest(text: string, number: number): boolean {
  const [sent, read] = [digitsOf(text), digitsOf(String(number))];
  if (sent.exponent < 0) return true;
  if (sent.digits === read.digits && sent.exponent === read.exponent) return true;
  // Longer ones have too many digits for a number, and are not computed.
  return sent.exponent <= MAX_DIGITS && BigInt(sent.digits) * 10n ** BigInt(sent.exponent) === BigInt(Math.abs(number));
}

/** The digits of a decimal without zeros at their ends, and the power of ten that they are multiplied by. */
function digitsOf(text: string): { readonly digits: string; readonly exponent: number } {
  const [, , whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === '0') start++;
  while (end > start && all[end - 1] === '0') end--;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

export interface AlteredNumber extends JsonToken {
  readonly message: string;
}

/** Finds the numbers of a text that is JSON which JavaScript would alter. The text is only walked where it looks like it has one. */
export function* findAlteredNumbers(text: string): Generator<AlteredNumber> {
  if (!mayHaveAlteredNumbers(text)) return;
  for (const { kind, text: number, depth, path, isRepeated } of jsonTokens(text)) {
    const message = kind === 'number' ? alterationOf(number) : undefined;
    if (message !== undefined) yield { kind, text: number, depth, path, isRepeated, message };
  }
}

/** Most bodies have no such text, which is found fastest. */
const LOOKS_LONG = /[[:,\s]-?\d{16}|\d[eE]\+?\d/;
/** In a string it may also be text. */
const CANDIDATES = /[[:,\s](-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE]\+?\d+)/g;
const STARTS_AS_NUMBER = /^-?\d/;

/** Whether a text that is JSON looks like it has a number which JavaScript would alter. */
function mayHaveAlteredNumbers(text: string): boolean {
  if (STARTS_AS_NUMBER.test(text)) return true;
  if (!LOOKS_LONG.test(text)) return false;
  for (const [, number = ''] of text.matchAll(CANDIDATES)) if (alterationOf(number) !== undefined) return true;
  return false;
}

/** The names and indexes that lead to a part of a value. */
export type JsonPath = readonly (string | number)[];

interface JsonToken {
  readonly kind: 'name' | 'number';
  /** A name without its quotes and escapes. */
  readonly text: string;
  /** Whether the object has a property of this name before. */
  readonly isRepeated: boolean;
  readonly depth: number;
  /** The names and indexes that lead to it. To be asked before the next token. */
  readonly path: () => JsonPath;
}

const BACKSLASH = 92;
const NAME_END = /\s*:/y;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** The index after the string that starts at `start`, in text that is JSON. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    // After an even number of backslashes the quote is not escaped.
    if ((end - first) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end + 1;
}

export function* jsonTokens(text: string): Generator<JsonToken> {
  // Each list or object around the place that is read: the names of an object so far, and the index or the name of the current part.
  const around: { readonly names: Set<string> | undefined; part: string | number }[] = [];
  const path = () => around.map(({ part }) => part);
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    const inner = around.at(-1);
    if (char === '{') around.push({ names: new Set(), part: '' });
    else if (char === '[') around.push({ names: undefined, part: 0 });
    else if (char === '}' || char === ']') around.pop();
    else if (char === ',' && inner !== undefined && typeof inner.part === 'number') inner.part++;
    else if (char === '"') {
      const end = endOfString(text, i);
      NAME_END.lastIndex = end;
      if (inner?.names !== undefined && NAME_END.test(text)) {
        const name = JSON.parse(text.slice(i, end)) as string;
        inner.part = name;
        yield { kind: 'name', text: name, isRepeated: inner.names.has(name), depth: around.length, path };
        inner.names.add(name);
      }
      i = end - 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = i;
      const [number = char] = NUMBER.exec(text) ?? [];
      i += number.length - 1;
      yield { kind: 'number', text: number, isRepeated: false, depth: around.length, path };
    }
  }
}
