/** The schemas of properties: by the types of the command line, and as requests have them. */
import { resolve, type Document, type Schema } from '@specwright/server/document';
import { capitalized, without, wordsOf, type ResourceNames, type ResourceProperty } from '../resource.ts';
import type { PropertyLine, PropertyType } from '../property-line.ts';

const CONTROL_CHARACTERS = '^[^\\x00-\\x1F\\x7F]*$';
const UUID = '8e03978e-40d5-43dd-bc93-6894a57f9324';

/** Each is bounded, as the columns are. */
function typeSchema(type: PropertyType, name: string, { noun, one, word }: ResourceNames): Schema {
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
  id: Schema,
  declare: (name: string, schema: Schema) => Schema,
): Schema {
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

/** As a patch has it (RFC 7396): what is optional can be removed with `null`. */
export function patchSchema(document: Document, { schema, required }: ResourceProperty): Schema {
  if (required) return without(schema, 'default');
  // `nullable` counts only beside a type (OpenAPI 3.0.3, section 4.7.24.1), which a reference hides.
  const { description, type, enum: values, ...rest } = without(flatten(document, schema), 'default');
  return {
    description: [description, '`null` removes it.'].filter(Boolean).join(' '),
    ...(type !== undefined && { type }),
    nullable: true,
    ...(Array.isArray(values) && { enum: [...(values as unknown[]).filter((value) => value !== null), null] }),
    ...rest,
  };
}

/** The schema without references and `allOf`. */
export function flatten(document: Document, schema: Schema): Schema {
  const { allOf = [], ...own } = resolve<Schema>(document, schema);
  return Object.assign({}, ...allOf.map((part) => flatten(document, part)), own) as Schema;
}
