/** The schemas of properties: by the types of the command line, and as requests have them. */
import { branchesOf, descriptionOf, isNullable, resolve, typesOf, valuesOf, type Document, type Schema } from '@specwright/contract/document';
import { capitalized, without, wordsOf, type ResourceNames, type ResourceProperty } from '../resource.ts';
import type { SchemaSource } from './schema-source.ts';
import type { PropertyLine, PropertyType } from '../property-line.ts';

const CONTROL_CHARACTERS = '^[^\\x00-\\x1F\\x7F]*$';
const UUID = '8e03978e-40d5-43dd-bc93-6894a57f9324';

/** Each is bounded, as the columns are. */
function typeSchema(type: PropertyType, name: string, { noun, one, word }: ResourceNames): SchemaSource {
  switch (type) {
    case 'string':
      return { type, minLength: 1, maxLength: 200, pattern: CONTROL_CHARACTERS, example: exampleText(name, word) };
    case 'integer':
      return { type, format: 'int32', minimum: -2147483648, maximum: 2147483647, example: 5 };
    case 'number':
      return { type, format: 'double', example: 1.5 };
    case 'boolean':
      return { type, example: true };
    case 'date':
      return { type: 'string', format: type, maxLength: 10, example: '2026-12-24' };
    case 'date-time':
      return { type: 'string', format: type, maxLength: 64, example: '2026-12-24T12:00:00.000Z' };
    case 'email':
      return { type: 'string', format: type, maxLength: 254, example: `${one.toLowerCase()}@example.com` };
    case 'uri':
      return { type: 'string', format: type, maxLength: 2000, example: `https://example.com/${noun}` };
    case 'uuid':
      return { type: 'string', format: type, maxLength: 36, example: UUID };
  }
}

/** The schema of a property of the command line. @param id that of an identifier; @param declare adds a named schema. */
export function lineSchema(
  { name, kind }: PropertyLine,
  names: ResourceNames,
  id: SchemaSource,
  declare: (name: string, schema: SchemaSource) => SchemaSource,
): SchemaSource {
  if ('noun' in kind) return { description: `The ${wordsOf(name.replace(/Id$/, ''))} of the ${names.word}.`, allOf: [id] };
  const description = describe(name, kind, names);
  if ('values' in kind)
    return declare(`${names.One}${capitalized(name)}`, { description, type: 'string', enum: [...kind.values], example: kind.values[0] });
  return {
    description: kind.type === 'string' ? `${description} No control characters.` : description,
    ...typeSchema(kind.type, name, names),
  };
}

export const exampleText = (name: string, word: string): string =>
  /^(name|title)$/.test(name) ? `First ${word}` : capitalized(wordsOf(name));

function describe(name: string, kind: PropertyLine['kind'], { word }: ResourceNames): string {
  const type = 'type' in kind ? kind.type : undefined;
  if (type === 'boolean') return `Whether the ${word} is ${wordsOf(name)}.`;
  const [, stem = name, preposition] = /^(.+?)(At|On)?$/.exec(name) ?? [];
  const isMoment = type === 'date' || type === 'date-time';
  if (isMoment && stem.endsWith('ed')) return `When the ${word} was ${wordsOf(stem)}.`;
  if (isMoment && preposition !== undefined) return `When the ${word} ${wordsOf(stem)}.`;
  return `The ${wordsOf(name)} of the ${word}.`;
}

/** As a patch has it (RFC 7396): what is optional can be removed with `null`. @param document as it is written. */
export function patchSchema(document: Document, { schema, required }: ResourceProperty): SchemaSource {
  if (required) return without(schema, 'default');
  const flat = without(flatten(document, schema), 'default');
  const removable = document.openapi.startsWith('3.0') ? nullableOf30(flat) : nullableOf31(document, flat);
  const description = [descriptionOf(flat), '`null` removes it.'].filter(Boolean).join(' ');
  return { description, ...without(removable, 'description') };
}

/** `nullable` counts only beside a type (OpenAPI 3.0.3, section 4.7.24.1), which a reference hides. */
function nullableOf30(flat: SchemaSource): SchemaSource {
  const { type, ...rest } = without(flat, 'nullable');
  return { ...(type !== undefined && { type }), nullable: true, ...withNull(flat), ...without(rest, 'enum') };
}

/** A type list of JSON Schema; where no type is given, null is an alternative. */
function nullableOf31(document: Document, flat: SchemaSource): SchemaSource {
  const types = typesOf(flat).filter((type) => type !== 'null');
  const list: object = { type: [...types, 'null'] };
  if (types.length > 0) return { ...list, ...withNull(flat), ...without(flat, 'type', 'enum', 'const') };
  return isNullable(document, flat) ? flat : { anyOf: [without(flat, 'description'), { type: 'null' }] };
}

const withNull = (schema: Schema): object => {
  const values = valuesOf(schema);
  return values === undefined ? {} : { enum: [...values.filter((value) => value !== null), null] };
};

/** The schema without references and `allOf`. @param document as it is written. */
export function flatten(document: Document, schema: Schema): SchemaSource {
  const own = resolve<Schema>(document, schema);
  return Object.assign({}, ...branchesOf(own).allOf.map((part) => flatten(document, part)), without(own, 'allOf')) as SchemaSource;
}
