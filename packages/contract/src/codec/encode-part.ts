/** Writes the parts of multipart/form-data that are no files (OpenAPI 3.0.3, section 4.7.14.4). */
import { stringifyJson as writeJson } from '../json/write-json.ts';
import { isComposite, scalarText } from './encode.ts';

/** A part of multipart/form-data: its text, and its Content-Type, if it needs one. @param type the one that the contract declares. */
export function encodePart(value: unknown, type?: string): { readonly text: string; readonly type: string | undefined } {
  const isJson = isComposite(value) || (type !== undefined && /[/+]json\s*(;|$)/i.test(type));
  return { text: isJson ? String(writeJson(value)) : scalarText(value), type: type ?? (isJson ? 'application/json' : undefined) };
}
