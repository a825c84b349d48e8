/** Writes forms as the contract says (Encoding Object: OpenAPI 3.1.1, section 4.8.15). */
import { writeJson } from './json.ts';
import { bracketed, styled } from './parameters.ts';
import type { FormField } from './types.ts';

/** @throws TypeError for an item with the delimiter of its list in it: it would become two. */
export function writeForm(body: object, fields: Readonly<Record<string, FormField>> = {}): string {
  return Object.entries(body)
    .flatMap(([name, value]) => fieldPairs(name, value, Object.hasOwn(fields, name) ? (fields[name] ?? {}) : {}))
    .join('&');
}

function fieldPairs(name: string, value: unknown, { style, explode = style === 'form', allowReserved, isNullable }: FormField): string[] {
  // Null has no text (RFC 6570, section 2.3) but where no other empty text is allowed.
  if (value === undefined || (value === null && style !== 'json' && isNullable !== true)) return [];
  const pair = (key: string, text: string) => `${encodeURIComponent(key)}=${text}`;
  if (style === undefined || style === 'json' || style === 'text') {
    const isJson = (item: unknown) => style === 'json' || (typeof item === 'object' && item !== null);
    const textOf = (item: unknown) => (isJson(item) ? writeJson(item) : formText(item));
    const items: unknown[] = Array.isArray(value) && (value.length > 0 || style !== 'json') ? value : [value];
    return items.map((item) => pair(name, encodeURIComponent(textOf(item)).replaceAll('%20', '+')));
  }
  if (style === 'deepObject') return value === null ? [pair(name, '')] : bracketed(name, value);
  const encode = (item: unknown) => {
    const text = encodeURIComponent(formText(item));
    return allowReserved === true ? text.replace(/%(?:3A|2F|3F|40|24|3B)/g, decodeURIComponent) : text;
  };
  const isComposite = typeof value === 'object' && value !== null;
  if (!isComposite) return [pair(name, encode(value))];
  if (explode) {
    const parts: [string, unknown][] = Array.isArray(value) ? [[name, value]] : Object.entries(value);
    return parts.flatMap(([key, part]) =>
      [part].flat().flatMap((item) => (item === undefined || item === null ? [] : [pair(key, encode(item))])),
    );
  }
  if (Array.isArray(value) && value.length === 0) return [];
  const delimiter = { spaceDelimited: ' ', pipeDelimited: '|' }[style];
  if (
    delimiter !== undefined &&
    Object.entries(value)
      .flat()
      .some((item) => String(item).includes(delimiter))
  )
    throw new TypeError(`body/${name} must not have "${delimiter}" in an item, which separates its items`);
  return [pair(name, styled(['query', name, style, false], value, encodeURIComponent))];
}

const formText = (value: unknown): string => (value === null ? '' : typeof value === 'string' ? value : writeJson(value));
