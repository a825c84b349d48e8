/** Reads and writes JSON whose integers are `bigint` where the contract says so. */
import type { Place } from './types.ts';

/** Precedes integers that JSON.parse and JSON.stringify cannot have: no text of a server is taken for one. */
const MARK = `bigint:${crypto.randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');
/** A string that does not end is one token up to the end, so that the rest is not read again from each of its quotes. */
const TOKENS = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseJson(text: string, place?: () => Place): unknown {
  if (place === undefined) return JSON.parse(text) as unknown;
  const marked = /\d{16}/.test(text) ? text.replace(TOKENS, (token) => (/^-?\d{16,}$/.test(token) ? `"${MARK}${token}"` : token)) : text;
  return withIntegers(place(), JSON.parse(marked));
}

function withIntegers(place: Place | undefined, value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) {
    const digits = value.slice(MARK.length);
    return place?.isBigInteger === true ? BigInt(digits) : Number(digits);
  }
  if (typeof value === 'number') return place?.isBigInteger === true && Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => withIntegers(place?.items?.(), item));
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, additional } = place ?? {};
  const placeOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : additional)?.();
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withIntegers(placeOf(name), part)]));
}

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${MARK}${part}` : part)).replace(MARKED, '$1');
