/** Decodes forms; queries are written as they are. */
import { createPairsDecoder } from '../codec/decode-pairs.ts';
import type { Field } from '../codec/decode.ts';
import { fieldEncoding } from '../codec/form-encoding.ts';
import { createValueShape } from '../codec/typed-values.ts';
import type { Document, MediaType } from '../document/openapi.ts';
import { createField, type RequestProblem, reportTo } from './parameter-decoder.ts';

export { createPairsDecoder };

interface FormOptions {
  /** Where the form is: what problems are reported of. */
  readonly location?: 'body' | 'query';
  /** Names that are read elsewhere. */
  readonly isIgnored?: (name: string) => boolean;
}

export type FormDecoder = (text: string) => { value: unknown; problems: RequestProblem[] };

/**
 * Creates the decoder of a form: see docs/how-to/forms.md for what is written how.
 *
 * Beside what the contract says, lists and objects may be written with brackets where it names no other way: `a[b]=1&c[]=2&c[0][d]=3`.
 */
export function createFormDecoder(
  document: Document,
  { schema = {}, encoding }: MediaType,
  { location = 'body', isIgnored }: FormOptions = {},
): FormDecoder {
  const shape = createValueShape(document, schema);
  // A form that is declared as a text has no fields.
  if (shape.types.has('string') && !shape.types.has('object')) return (text) => ({ value: text, problems: [] });
  const fieldNamed = (name: string): Field => createField(name, 'body', shape.property(name), fieldEncoding(encoding, name));
  const decodePairs = createPairsDecoder({
    fields: shape.propertyNames.map(fieldNamed),
    undeclared: fieldNamed,
    ...(isIgnored && { isIgnored }),
  });
  return (text) => {
    const problems: RequestProblem[] = [];
    const values: [string, unknown][] = [];
    const set = (name: string, value: unknown) => void values.push([name, value]);
    decodePairs(text, set, reportTo(problems, location));
    return { value: Object.fromEntries(values), problems };
  };
}
