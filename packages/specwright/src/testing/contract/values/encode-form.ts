/** Writes a form as the contract says (Encoding Object: OpenAPI 3.1.1, section 4.8.15). */
import type { SpecEncoding, SpecMedia } from '../document.ts';
import { textOf } from './text-of.ts';

type Pair = readonly [name: string, value: string];

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The values of a list; a value that is none by itself. */
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Null is left out but in JSON: it has no text (RFC 6570, section 2.3). */
export function encodeForm({ encoding = {} }: Pick<SpecMedia, 'encoding'>, form: object): string {
  return Object.entries(form)
    .flatMap(([name, value]) => fieldPairs(name, value, Object.hasOwn(encoding, name) ? (encoding[name] ?? {}) : {}))
    .join('&');
}

function fieldPairs(
  name: string,
  value: unknown,
  { contentType = '', style: given, explode: exploded, allowReserved }: SpecEncoding,
): string[] {
  if (value === undefined) return [];
  if ([given, exploded, allowReserved].every((field) => field === undefined)) {
    const isJson = /^[^,;]*[/+]json\b/i.test(contentType);
    if (value === null && !isJson) return [];
    // In JSON a list without items has a text.
    const items = isJson && Array.isArray(value) && value.length === 0 ? [value] : itemsOf(value);
    return items.map((item) => written([name, isJson || isComposite(item) ? JSON.stringify(item) : textOf(item)]));
  }
  if (value === null) return [];
  const style = given ?? 'form';
  const explode = exploded ?? style === 'form';
  if (style === 'deepObject') return bracketed(name, value).map(written);
  if (!isComposite(value)) return [written([name, textOf(value)])];
  const parts: [string, unknown][] = Array.isArray(value) ? [[name, value]] : Object.entries(value);
  if (explode) return parts.flatMap(([key, part]) => itemsOf(part).map((item) => written([key, textOf(item)])));
  const texts = (Array.isArray(value) ? value : parts.flat()).map((text) => encodeURIComponent(textOf(text)));
  return texts.length === 0 ? [] : [`${encodeURIComponent(name)}=${texts.join(DELIMITERS[style] ?? ',')}`];
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

const written = ([name, value]: Pair): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

/** `a[b]=1&a[c][0]=2`. */
function bracketed(name: string, value: unknown): Pair[] {
  if (!isComposite(value)) return value === undefined || value === null ? [] : [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, part]) => bracketed(`${name}[${key}]`, part));
}
