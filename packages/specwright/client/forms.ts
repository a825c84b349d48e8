/** Writes forms as the contract says (Encoding Object: OpenAPI 3.1.1, section 4.8.15), and queries that are one value (3.2.0, section 4.12.2). */
import { encodeField, encodeText } from '@specwright/contract/document';
import type { FormField } from './types.ts';

/** @throws TypeError for an item with the delimiter of its list in it: it would become two. */
export function writeForm(body: object, fields: Readonly<Record<string, FormField>> = {}): string {
  return Object.entries(body)
    .flatMap(([name, value]) => encodeField(name, (Object.hasOwn(fields, name) && fields[name]) || {}, value))
    .join('&');
}

/** The pairs of a form, or one percent-encoded text; none without a value. @param as of a form, as `writeForm` has them. */
export function writeQuery(value: unknown, as: 'json' | 'text' | Readonly<Record<string, FormField>>): string[] {
  if (value === undefined) return [];
  if (typeof as === 'object') return [writeForm(value as object, as)].filter(Boolean);
  return [encodeText({ name: 'query', in: 'query', style: as === 'json' ? 'json' : 'form' }, value)];
}
