/** Writes forms as the contract says (Encoding Object: OpenAPI 3.1.1, section 4.8.15). */
import { encodeField } from '@specwright/contract/document';
import type { FormField } from './types.ts';

/** @throws TypeError for an item with the delimiter of its list in it: it would become two. */
export function writeForm(body: object, fields: Readonly<Record<string, FormField>> = {}): string {
  return Object.entries(body)
    .flatMap(([name, value]) => encodeField(name, (Object.hasOwn(fields, name) && fields[name]) || {}, value))
    .join('&');
}
