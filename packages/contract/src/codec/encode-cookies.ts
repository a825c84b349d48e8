/** Writes cookie parameters, also in the style `cookie` of OpenAPI 3.2 (section 4.12.3). */
import { encodeText, entriesOf, isComposite, scalarText, type EncodedField } from './encode.ts';

/**
 * The cookies of a parameter, `name=value`. In the style `cookie` of OpenAPI 3.2 nothing is escaped, and each item of a list and each property
 * of an object is a cookie, unless `explode` is false. None for an empty list or object, which has no text (RFC 6570, section 2.3).
 *
 * @throws TypeError for a value that would be decoded to another one.
 */
export function encodeCookies(field: EncodedField, value: unknown): string[] {
  const { name, style, explode = true } = field;
  if (isComposite(value) && Object.keys(value).length === 0) return [];
  if (style !== 'cookie') return [`${name}=${encodeText(field, value)}`];
  const isList = Array.isArray(value);
  const text = (item: unknown): string => {
    const plain = scalarText(item);
    if (/[^!-~]|[;"]/.test(plain)) throw new TypeError(`cookie/${name} has characters that a cookie cannot have: escape them`);
    if (!explode && plain.includes(',')) throw new TypeError(`cookie/${name} must not have "," in an item, which separates its items`);
    return plain;
  };
  if (!isComposite(value)) return [`${name}=${text(value)}`];
  const entries = isList ? (value as unknown[]).map((item) => [name, item] as const) : entriesOf(value);
  if (explode) {
    const unreadable = entries.find(([key]) => key.includes('='));
    if (unreadable !== undefined) throw new TypeError(`cookie/${name} must not have "=" in the name of a property`);
    return entries.map(([key, item]) => `${text(key)}=${text(item)}`);
  }
  return [`${name}=${entries.flatMap(([key, item]) => (isList ? [text(item)] : [text(key), text(item)])).join(',')}`];
}
