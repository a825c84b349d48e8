/** Decodes bodies of application/x-www-form-urlencoded to the values that their schema declares (OpenAPI 3.1.1, section 4.8.15.2). */
import type { Document, MediaType } from '../document/openapi.ts';
import { decodeField, decodeText, type Field, type SentField } from './form-field-decoder.ts';
import { fieldEncoding, isExplodedObject } from './form-fields.ts';
import type { RequestProblem } from './parameter-decoder.ts';
import { createValueShape, type ReportProblem, type ValueShape } from './typed-values.ts';

export type FormDecoder = (text: string) => { value: unknown; problems: RequestProblem[] };

/**
 * Creates the decoder of a form: see docs/forms.md for what is written how.
 *
 * Beside what the contract says, lists and objects may be written with brackets where it names no other way: `a[b]=1&c[]=2&c[0][d]=3`.
 */
export function createFormDecoder(document: Document, { schema = {}, encoding }: MediaType): FormDecoder {
  const shape = createValueShape(document, schema);
  // A form that is declared as a text has no fields.
  if (shape.types.has('string') && !shape.types.has('object')) return (text) => ({ value: text, problems: [] });
  const fieldOf = (name: string): Field => ({ name, shape: shape.property(name), encoding: fieldEncoding(encoding, name) });
  const placeOf = createPlaces(shape, shape.propertyNames.map(fieldOf));
  return (text) => {
    const problems: RequestProblem[] = [];
    const report: ReportProblem = (message, path) => void problems.push({ location: `body${path}`, message });
    const fields = new Map<string, SentField>();
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const at = pair.indexOf('=');
      const name = decodeText(at < 0 ? pair : pair.slice(0, at), (message) => report(`has a name that ${message}`, ''));
      if (name === undefined) continue;
      const value = at < 0 ? '' : pair.slice(at + 1);
      const { field, kind } = placeOf(name);
      const sent: SentField = fields.get(field) ?? { plain: [], bracketed: [], parts: new Map() };
      fields.set(field, sent);
      if (kind === 'plain') sent.plain.push(value);
      else if (kind === 'bracketed') sent.bracketed.push(pair);
      else {
        const values = sent.parts.get(name);
        if (values === undefined) sent.parts.set(name, [value]);
        else values.push(value);
      }
    }
    const values = [...fields].map(([name, sent]): [string, unknown] => [
      name,
      decodeField(fieldOf(name), sent, (message, path) => report(message, `/${name}${path}`)),
    ]);
    return { value: Object.fromEntries(values), problems };
  };
}

/** To which property a name of a form belongs, and how. */
interface Place {
  readonly field: string;
  /** `part`: it is a property of an object whose properties are fields. */
  readonly kind: 'plain' | 'bracketed' | 'part';
}

/** `a[b][]`: the property is `a`. */
const BRACKETED = /^([^[]+)(?:\[[^[\]]*\])+$/;

/** Each name belongs to the property of that name; else to one with brackets; else to an object whose properties are fields. */
function createPlaces(shape: ValueShape, fields: readonly Field[]): (name: string) => Place {
  const declared = new Set(fields.map(({ name }) => name));
  const exploded = fields.filter((field) => isExplodedObject(field.encoding) && field.shape.types.has('object'));
  const owners = new Map(
    [...exploded].reverse().flatMap(({ name, shape: { propertyNames } }) => propertyNames.map((part) => [part, name])),
  );
  const open = exploded.find((field) => field.shape.isOpen)?.name;
  const takesBrackets = ({ types }: ValueShape) => types.size === 0 || types.has('object') || types.has('array');
  return (name) => {
    if (declared.has(name)) return { field: name, kind: 'plain' };
    const root = BRACKETED.exec(name)?.[1];
    if (root !== undefined && declared.has(root)) return { field: root, kind: 'bracketed' };
    const owner = owners.get(name) ?? open;
    if (owner !== undefined) return { field: owner, kind: 'part' };
    return root !== undefined && takesBrackets(shape.property(root)) ? { field: root, kind: 'bracketed' } : { field: name, kind: 'plain' };
  };
}
