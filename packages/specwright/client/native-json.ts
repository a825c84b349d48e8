/** Reads and writes JSON whose integers are `bigint`, and whose moments are `Date`, where the contract says so. */
import { dateOf, dateText } from '@specwright/contract/document';
import type { Place } from './types.ts';

/** Precedes integers that JSON.parse and JSON.stringify cannot have: no text of a server is taken for one. */
const MARK = `bigint:${crypto.randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');
/** A string that does not end is one token up to the end, so that the rest is not read again from each of its quotes. */
const TOKENS = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @throws RangeError for a text that is no moment where the contract has one. */
export function parseJson(text: string, place?: () => Place): unknown {
  if (place === undefined) return JSON.parse(text) as unknown;
  const marked = /\d{16}/.test(text) ? text.replace(TOKENS, (token) => (/^-?\d{16,}$/.test(token) ? `"${MARK}${token}"` : token)) : text;
  return withNativeValues(place(), JSON.parse(marked));
}

function withNativeValues(place: Place | undefined, value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) {
    const digits = value.slice(MARK.length);
    return place?.isBigInteger === true ? BigInt(digits) : Number(digits);
  }
  if (typeof value === 'string' && place?.isDateObject === true) return momentOf(value);
  if (typeof value === 'number') return place?.isBigInteger === true && Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => withNativeValues(place?.items?.(), item));
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, additional } = place ?? {};
  const placeOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : additional)?.();
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNativeValues(placeOf(name), part)]));
}

function momentOf(text: string): Date {
  const moment = dateOf(text);
  const reason = `has ${JSON.stringify(text.slice(0, 40))}, which is no date-time`;
  if (Number.isNaN(moment.getTime())) throw Object.assign(new RangeError(reason), { reason });
  return moment;
}

/** The value of a header field. @param type `date`, `dates`, or `text`. */
export function readMoments(type: string, text: string): unknown {
  if (type === 'dates') return text === '' ? [] : text.split(',').map((item) => momentOf(item.trim()));
  return type === 'date' ? momentOf(text) : text;
}

/** @throws RangeError for an invalid `Date`, whose text would be null. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key, part: unknown) {
    const given = this[key];
    if (given instanceof Date) return dateText(given);
    return typeof part === 'bigint' ? `${MARK}${part}` : part;
  }).replace(MARKED, '$1');
