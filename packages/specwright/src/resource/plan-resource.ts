/** What the command line asks for, as a resource; refused before anything is written if a part of it is taken. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf, pointerTo, resolve, typeOf, valueAt, type Schema, type SourceDocument } from '@specwright/contract/document';
import { didYouMean, UsageError } from '@specwright/server/command';
import { valueOf } from '../testing/contract/values/build-value.ts';
import type { ProjectConfig } from '../project-config.ts';
import { propertyFacts, propertyNames, type PropertyFacts } from '../schema/property-facts.ts';
import type { SchemaMap } from '../schema/database-locations.ts';
import { schemasOfNoun } from '../schema/derive-tables.ts';
import { camel, kebab, singular } from '../stubs/typescript-source.ts';
import { Components, fits, readSpecTemplate } from './spec/components.ts';
import { exampleText, flatten, lineSchema, parsePropertyLines, propertyNameOf } from './spec/resource-schemas.ts';
import {
  type ResourceNames,
  type ResourceProperty,
  type SchemaSource,
  namesOf,
  operationIds,
  roleOf,
  without,
  writtenExample,
} from './resource.ts';

export interface ResourceRequest {
  readonly noun: string;
  /** The schema of its records: one of the spec, or what a new one is called. */
  readonly schema: string | undefined;
  /** `name:string`, where the schema is new. */
  readonly properties: readonly string[];
}

export interface PlanOptions {
  readonly project: ProjectConfig;
  readonly source: SourceDocument;
  readonly map: SchemaMap;
  /** The folder of the stores, from the root. */
  readonly stores: string;
  readonly owner: string | undefined;
}

/** @throws UsageError if the request cannot be understood, Error with everything that is taken. */
export async function planResource(request: ResourceRequest, options: PlanOptions) {
  const { source, map, owner } = options;
  const { document } = source;
  const { schemas = {} } = document.components ?? {};
  const noun = kebab(request.noun);
  if (!/^[a-z][a-z0-9-]*$/.test(noun) || !/^[A-Za-z][A-Za-z0-9-]*$/.test(request.noun))
    throw new UsageError(`${request.noun} cannot be a noun: use lower-case letters, digits and dashes, as in pet-toys`);
  const type = request.schema;
  if (type !== undefined && !/^[A-Za-z][A-Za-z0-9]*$/.test(type))
    throw new UsageError(`--schema ${type} must be letters and digits, as in Supplier`);
  if (type === undefined && singular(noun) === noun)
    throw new UsageError(`${noun} is no plural: name the plural, or say with --schema what one of them is called`);
  const names = namesOf(noun, type);
  const existing = type === undefined ? undefined : schemas[type];
  if (existing === undefined && request.properties.length === 0) {
    const hint =
      type === undefined
        ? 'or --schema NAME for a schema of the spec'
        : `the spec has no schema ${type}${didYouMean(type, Object.keys(schemas))}`;
    throw new UsageError(`missing properties, as in name:string: ${hint}`);
  }
  if (existing !== undefined && request.properties.length > 0)
    throw new UsageError(`the spec has the schema ${type ?? ''}: leave out ${request.properties.join(' ')}`);
  assertFree(names, options, existing !== undefined);

  const tables = new Set([...Object.keys(map.tables), ...storedNouns(options)]);
  const nouns = [...tables].map((table) => namesOf(table.replaceAll('_', '-')));
  // What is shared is written, and compared with what is.
  const components = new Components(source.written);
  const { id, properties } =
    existing === undefined ? newSchema(request, { source, names, nouns, components }) : await readSchema(source, names, nouns);
  return { resource: { names, owner, properties }, components, id };
}

/** The tables of nouns that have a store, and paths in the spec: the map need not name them. */
const storedNouns = ({ project, source, stores }: PlanOptions): string[] =>
  Object.keys(source.document.paths).flatMap((path) => {
    const [noun = ''] = path.split('/').slice(-1);
    const table = noun.replaceAll('-', '_');
    const isStored = existsSync(join(project.root, stores, `${noun}.ts`));
    return isStored && schemasOfNoun(source.document, table) !== undefined ? [table] : [];
  });

interface NewSchemaOptions {
  readonly source: SourceDocument;
  readonly names: ResourceNames;
  readonly nouns: readonly ResourceNames[];
  readonly components: Components;
}

/** The properties of the command line. */
function newSchema(request: ResourceRequest, { source, names, nouns, components }: NewSchemaOptions) {
  const template = readSpecTemplate({ names, owner: undefined, properties: [] });
  const { Id = {} } = template.components.schemas;
  const id: SchemaSource = { ...components.use('schemas', 'Id', Id, (one) => fits('Id', flatten(source.written, one))) };
  const declare = (name: string, schema: SchemaSource) => ({ ...components.use('schemas', name, schema) });
  const lines = parsePropertyLines(
    request.properties,
    nouns.map((one) => one.noun),
  );
  const properties = lines.map((line): ResourceProperty => {
    const name = propertyNameOf(line);
    const schema = lineSchema({ ...line, name }, names, id, template.types, declare);
    const { kind } = line;
    const referred = 'noun' in kind ? nouns.find((one) => one.noun === kind.noun) : undefined;
    return {
      name,
      schema,
      required: line.required,
      isGiven: true,
      ...('values' in kind && { values: kind.values }),
      ...(referred && { reference: { names: referred, role: roleOf(name) } }),
      example: referred ? 1 : (writtenExample(schema) ?? ('values' in kind ? kind.values[0] : undefined)),
    };
  });
  return { id, properties };
}

/** @throws Error with everything that is taken already. */
function assertFree(names: ResourceNames, { project, source, map, stores }: PlanOptions, hasSchema: boolean): void {
  const { document, file } = source;
  const taken: string[] = [];
  const paths = Object.keys(document.paths).filter((path) => path === `/${names.noun}` || path.startsWith(`/${names.noun}/`));
  for (const path of paths) taken.push(`${file} has ${path}`);
  const ids = new Set(
    Object.values(document.paths).flatMap((item) => Object.values(item).map((one) => (one as { operationId?: string }).operationId)),
  );
  for (const id of Object.values(operationIds(names))) if (ids.has(id)) taken.push(`${file} has an operation ${id}`);
  const { schemas = {} } = document.components ?? {};
  for (const name of hasSchema ? [] : [names.One, `New${names.One}`, `${names.One}Patch`, names.Many])
    if (name in schemas) taken.push(`${file} has a schema ${name}${name === names.One ? ` (--schema ${name} uses it)` : ''}`);
  for (const folder of [project.handlers, stores])
    if (existsSync(join(project.root, folder, `${names.noun}.ts`))) taken.push(`${folder}/${names.noun}.ts exists`);
  if (names.table in map.tables || names.table in map['not in the contract'].tables)
    taken.push(`the schema map has a table ${names.table}`);
  if (taken.length > 0)
    throw new Error([`${names.noun} cannot be added, nothing was changed:`, ...taken.map((line) => `  ${line}`)].join('\n'));
}

/** The properties of a schema that the spec has. */
async function readSchema({ document, written, writtenAt }: SourceDocument, names: ResourceNames, nouns: readonly ResourceNames[]) {
  const schema = flatten(written, { $ref: pointerTo('components', 'schemas', names.One) });
  const fail = (problem: string): never => {
    throw new Error(`the schema ${names.One} ${problem}`);
  };
  const facts = new Map(
    propertyNames(document, names.One).flatMap((name) => {
      const found = propertyFacts(document, names.One, name);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
  const sourceOf = ({ path }: PropertyFacts) => valueAt(written, writtenAt(path).map(String)) as SchemaSource;
  if (typeOf(schema) !== 'object' || facts.size === 0) fail('is no object with properties');
  const own = facts.get('id');
  if (own?.type !== 'integer' || !own.required)
    return fail(
      `needs a required property id, an integer: id: { type: integer, format: int64, minimum: 1, maximum: 9007199254740991, example: 1 }`,
    );
  const [example = {}] = examplesOf(schema) as Record<string, unknown>[];
  const properties: ResourceProperty[] = [];
  for (const [name, property] of facts) {
    if (name === 'id') continue;
    if (name === 'version') fail('has a property version, which is the name of a column that counts the changes of a row: rename it');
    const referred = property.type === 'integer' ? nouns.find(({ id }) => id === camel(kebab(name))) : undefined;
    properties.push({
      name,
      schema: sourceOf(property),
      required: property.required,
      isGiven: !property.readOnly,
      ...(property.type === 'string' && property.enum !== undefined && { values: property.enum }),
      ...(referred && { reference: { names: referred, role: roleOf(name) } }),
      example:
        example[name] ??
        writtenExample(flatten(written, sourceOf(property))) ??
        plainExample(property, name, names) ??
        structuredClone(await valueOf(document, resolve<Schema>(document, { $ref: pointerTo(...property.path) }))),
    });
  }
  if (!properties.some(({ isGiven }) => isGiven)) fail('has no property that a client could give');
  return { id: without(flatten(written, sourceOf(own)), 'description', 'example', 'examples', 'readOnly'), properties };
}

/** A text that a person would write, where any text will do. */
function plainExample(
  { type, format, pattern, enum: values, minLength = 0, maxLength = Infinity }: PropertyFacts,
  name: string,
  { word }: ResourceNames,
) {
  const text = exampleText(name, word);
  const isAny = type === 'string' && format === undefined && pattern === undefined && values === undefined;
  return isAny && text.length >= minLength && text.length <= maxLength ? text : undefined;
}
