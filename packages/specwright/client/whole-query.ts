/** Writes queries that are one value (OpenAPI 3.2.0, section 4.12.2). */
import { encodeText } from '@specwright/contract/document';
import { writeForm } from './forms.ts';
import type { FormField } from './types.ts';

/** The pairs of a form, or one percent-encoded text; none without a value. @param as of a form, as `writeForm` has them. */
export function writeQuery(value: unknown, as: 'json' | 'text' | Readonly<Record<string, FormField>>): string[] {
  if (value === undefined) return [];
  if (typeof as === 'object') return [writeForm(value as object, as)].filter(Boolean);
  return [encodeText({ name: 'query', in: 'query', style: as === 'json' ? 'json' : 'form' }, value)];
}
