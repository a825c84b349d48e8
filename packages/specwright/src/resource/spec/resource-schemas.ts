/** The schemas of a resource: of its records, of new ones, of changes to them, and of a page. */
import {
  type Document,
  type Schema,
  branchesOf,
  descriptionOf,
  isNullable,
  resolve,
  typesOf,
  valuesOf,
} from '@specwright/contract/document';
import { UsageError, didYouMean } from '@specwright/server/command';
import {
  type Resource,
  type ResourceNames,
  type ResourceProperty,
  type SchemaSource,
  ID,
  capitalized,
  givenOf,
  roleOf,
  without,
  wordsOf,
} from '../resource.ts';
import { camel, kebab } from '../../stubs/typescript-source.ts';

/** What a record is made of in a request or a response. */
export function exampleOf(resource: Resource, kind: 'read' | 'new' | 'patch'): Record<string, unknown> {
  const of = (properties: readonly ResourceProperty[]) => Object.fromEntries(properties.map(({ name, example }) => [name, example]));
  if (kind === 'read') return { id: 1, ...of(resource.properties) };
  const given = givenOf(resource);
  if (kind === 'new') return of(given);
  // What it refers to does not exist for an example that is sent unchanged.
  const free = given.filter(({ reference }) => reference === undefined);
  return of((free.length > 0 ? free : given).slice(0, 1));
}

/** By name. @param document as it is written; @param template what they have beside their properties. */
export function resourceSchemas(
  document: Document,
  resource: Resource,
  id: SchemaSource,
  template: Readonly<Record<string, SchemaSource>>,
): Record<string, SchemaSource> {
  const { names, properties } = resource;
  const given = givenOf(resource);
  const requiredOf = (list: readonly ResourceProperty[]) => list.flatMap(({ name, required }) => (required ? [name] : []));
  const schema = (name: string, own: readonly (readonly [string, SchemaSource])[], required: readonly string[], example: object) => ({
    [name]: { ...template[name], ...(required.length > 0 && { required }), properties: Object.fromEntries(own), example },
  });
  const written = (list: readonly ResourceProperty[]) => list.map((one) => [one.name, one.schema] as const);
  const patched = given.map((property) => [property.name, patchSchema(document, property)] as const);
  const own = ['id', { description: 'Assigned on creation.', allOf: [id] }] as const;
  return {
    ...schema(`New${names.One}`, written(given), requiredOf(given), exampleOf(resource, 'new')),
    ...schema(`${names.One}Patch`, patched, [], exampleOf(resource, 'patch')),
    ...schema(names.One, [own, ...written(properties)], ['id', ...requiredOf(properties)], exampleOf(resource, 'read')),
    [names.Many]: template[names.Many] ?? {},
  };
}

/** The schema of a property of the command line. @param id that of an identifier; @param types by their names; @param declare adds a named schema. */
export function lineSchema(
  { name, kind }: PropertyLine,
  names: ResourceNames,
  id: SchemaSource,
  types: Readonly<Record<string, SchemaSource>>,
  declare: (name: string, schema: SchemaSource) => SchemaSource,
): SchemaSource {
  if ('noun' in kind) return { description: `The ${wordsOf(roleOf(name))} of the ${names.word}.`, allOf: [id] };
  const description = describe(name, kind, names);
  if ('values' in kind)
    return declare(`${names.One}${capitalized(camel(kebab(name)))}`, {
      description,
      type: 'string',
      enum: [...kind.values],
      example: kind.values[0],
    });
  const schema = { description, ...types[kind.type] };
  if (kind.type !== 'string') return schema;
  return { ...schema, description: `${description} No control characters.`, example: exampleText(name, names.word) };
}

export const exampleText = (name: string, word: string): string =>
  /^(name|title)$/.test(name) ? `First ${word}` : capitalized(wordsOf(name));

function describe(name: string, kind: PropertyLine['kind'], { word }: ResourceNames): string {
  const type = 'type' in kind ? kind.type : undefined;
  if (type === 'boolean') return `Whether the ${word} is ${wordsOf(name)}.`;
  const [, stem = name, preposition] = /^(.+?)(At|On|_at|_on)?$/.exec(name) ?? [];
  const isMoment = type === 'date' || type === 'date-time';
  if (isMoment && stem.endsWith('ed')) return `When the ${word} was ${wordsOf(stem)}.`;
  if (isMoment && preposition !== undefined) return `When the ${word} ${wordsOf(stem)}.`;
  return `The ${wordsOf(name)} of the ${word}.`;
}

/**
 * As a patch has it (RFC 7396): what is optional can be removed with `null`. In OpenAPI 3.0 `nullable` counts only beside a type (3.0.3,
 * section 4.7.24.1), which a reference hides; from 3.1 null is one of the types, or an alternative where there is none.
 *
 * @param document as it is written.
 */
function patchSchema(document: Document, { schema, required }: ResourceProperty): SchemaSource {
  if (required) return without(schema, 'default');
  const flat = without(flatten(document, schema), 'default');
  const description = [descriptionOf(flat), '`null` removes it.'].filter(Boolean).join(' ');
  const is30 = document.openapi.startsWith('3.0');
  const [values, types] = [valuesOf(flat), typesOf(flat).filter((type) => type !== 'null')];
  const withNull = values && { enum: [...values.filter((value) => value !== null), null] };
  const rest = without(flat, 'description', 'type', 'nullable', 'enum', 'const');
  if (is30) return { description, ...(types.length > 0 && { type: flat['type'] }), nullable: true, ...withNull, ...rest };
  if (types.length > 0) return { description, ...({ type: [...types, 'null'] } as object), ...withNull, ...rest };
  const own = without(flat, 'description');
  return { description, ...(isNullable(document, flat) ? own : { anyOf: [own, { type: 'null' }] }) };
}

/** The schema without references and `allOf`. @param document as it is written. */
export function flatten(document: Document, schema: Schema): SchemaSource {
  const own = resolve<Schema>(document, schema);
  return Object.assign({}, ...branchesOf(own).allOf.map((part) => flatten(document, part)), without(own, 'allOf')) as SchemaSource;
}

/** Reads the properties of a resource from the command line: `name:string email:email? status:active|closed category:categories`. */
const PROPERTY_TYPES = ['string', 'integer', 'number', 'decimal', 'boolean', 'date', 'date-time', 'email', 'uri', 'uuid'] as const;
type PropertyType = (typeof PROPERTY_TYPES)[number];

interface PropertyLine {
  readonly name: string;
  readonly required: boolean;
  readonly kind: { readonly type: PropertyType } | { readonly values: readonly string[] } | { readonly noun: string };
}

/** Every row has these. */
const OWN = ['id', 'version'];

/**
 * @param nouns those that a property can refer to.
 * @throws UsageError that says what is wrong with a property, and how it is written.
 */
export function parsePropertyLine(text: string, nouns: readonly string[]): PropertyLine {
  const [, name, type = '', optional] = /^([^:?]+):([^?]*)(\?)?$/.exec(text) ?? [];
  const fail = (problem: string): never => {
    throw new UsageError(`${text}: ${problem}`);
  };
  if (name === undefined || type === '') return fail('a property is name:type, or name:type? if it is optional');
  if (!/^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/.test(name))
    return fail(`${name} must be letters and digits in camel case or snake case, as in openedAt or opened_at`);
  if (OWN.includes(name)) return fail(`every record has ${name}: leave it out`);
  const required = optional === undefined;
  if (type.includes('|')) {
    const values = type.split('|');
    const invalid = values.find((value) => !/^[A-Za-z0-9][\w.-]*$/.test(value));
    if (invalid !== undefined) return fail(`the value "${invalid}" must be letters, digits, "_", "." and "-"`);
    if (new Set(values).size < values.length) return fail('a value is given twice');
    return { name, required, kind: { values } };
  }
  const known = PROPERTY_TYPES.find((one) => one === type);
  if (known !== undefined) return { name, required, kind: { type: known } };
  if (nouns.includes(type)) return { name, required, kind: { noun: type } };
  const types = [...PROPERTY_TYPES, 'active|closed', ...(nouns.length > 0 ? [`a noun (${nouns.join(', ')})`] : [])];
  const hint = didYouMean(type, [...PROPERTY_TYPES, ...nouns]);
  return fail(`there is no type ${type}${hint === '' ? '.' : hint} Types: ${types.join(', ')}`);
}

/** @throws UsageError for the first property that is not valid, or is given twice. */
export function parsePropertyLines(texts: readonly string[], nouns: readonly string[]): PropertyLine[] {
  const lines = texts.map((text) => parsePropertyLine(text, nouns));
  const names = lines.map(propertyNameOf);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`the property ${twice} is given twice`);
  return lines;
}

/** `category:categories` is the property `categoryId`. */
export const propertyNameOf = ({ name, kind }: PropertyLine): string => ('noun' in kind && !ID.test(name) ? `${name}Id` : name);
