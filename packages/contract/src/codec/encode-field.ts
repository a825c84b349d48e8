/** Writes the fields of forms (OpenAPI 3.1.1, section 4.8.15). */
import { stringifyJson as writeJson } from '../json/write-json.ts';
import { encodePairs, isComposite, scalarText } from './encode.ts';

export interface EncodedFormField {
  /** `json`, `text` or a style of query parameters; none: the type of each value decides. */
  readonly style?: string | undefined;
  readonly explode?: boolean | undefined;
  readonly allowReserved?: boolean | undefined;
  /** Whether an empty text is null. */
  readonly isNullable?: boolean | undefined;
}

/** The pairs of a field. @throws TypeError for a value that would be decoded to another one. */
export function encodeField(name: string, field: EncodedFormField, value: unknown): string[] {
  const { style, isNullable, allowReserved } = field;
  if (value === undefined || (value === null && style !== 'json' && isNullable !== true)) return [];
  if (style === undefined || style === 'json' || style === 'text' || value === null) {
    const textOf = (item: unknown) => (style === 'json' || isComposite(item) ? String(writeJson(item)) : scalarText(item));
    const items: unknown[] = Array.isArray(value) && (value.length > 0 || style !== 'json') ? value : [value];
    return items.map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(item)).replaceAll('%20', '+')}`);
  }
  const pairs = encodePairs({ ...field, name, in: 'body' }, value);
  return allowReserved === true ? pairs.map((pair) => pair.replace(/%(?:3A|2F|3F|40|24|3B)/g, decodeURIComponent)) : pairs;
}
