/** Finds numbers that JavaScript would alter: what is validated and stored must be what was sent. */
import { jsonTokens, type JsonToken } from './json-tokens.ts';

/** The message of an integer that a number would round. */
export const INEXACT_INTEGER = `is an integer that a number cannot hold exactly: send one from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const TOO_LARGE = `is larger than every number: send one of at most ${Number.MAX_VALUE}`;

/** `-9223372036854775808`: longer ones are not of int64. */
export const MAX_INT64_LENGTH = 20;
/** Every integer of fewer digits is exact. */
const MIN_INEXACT_DIGITS = 16;
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

/** What is wrong with the text of a number, if anything is. A fraction or an exponent may be rounded: it stands for the nearest number. */
export function alterationOf(text: string): string | undefined {
  if (INTEGER.test(text)) return isExact(text) ? undefined : INEXACT_INTEGER;
  return Number.isFinite(Number(text)) ? undefined : TOO_LARGE;
}

/** A number of a JSON text that JavaScript would alter. */
export interface AlteredNumber extends JsonToken {
  readonly message: string;
}

/** Finds the numbers of a text that is JSON which JavaScript would alter. The text is only walked where it looks like it has one. */
export function* findAlteredNumbers(text: string): Generator<AlteredNumber> {
  if (!hasCandidate(text)) return;
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

function hasCandidate(text: string): boolean {
  if (STARTS_AS_NUMBER.test(text)) return true;
  if (!LOOKS_LONG.test(text)) return false;
  for (const [, number = ''] of text.matchAll(CANDIDATES)) if (alterationOf(number) !== undefined) return true;
  return false;
}
