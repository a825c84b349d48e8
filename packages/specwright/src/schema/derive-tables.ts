/** Derives which schemas a table holds from the paths that are called after it: `/pet-toys` and `/pet-toys/{id}` are the table `pet_toys`. */
import { type Document, isObject, referenceOf, resolve, type MediaType, type OperationObject } from '@specwright/contract/document';
import type { Column, Table } from '@specwright/postgres';
import { columnName } from './column-name.ts';
import type { MappedTable, SchemaMap } from './database-locations.ts';
import { propertyNames } from './property-facts.ts';

/** Columns that each record has and no schema: whose it is, and its version. Their values are the server's, never those of a body. */
export const isOwnColumn = ({ name, references }: Column): boolean =>
  name === 'version' || (references?.table === 'accounts' && references.deletes === true);

/** The map with a table for each that exists, is not in the map, and has paths whose schemas are in no other table. */
export function deriveTables(document: Document, map: SchemaMap, tables: readonly Table[]): SchemaMap {
  const mapped = new Set(Object.values(map.tables).flatMap(({ read, create, patch }) => [...read, ...create, ...patch]));
  const derived = tables.flatMap((table): [string, MappedTable][] => {
    if (table.name in map.tables || table.name in map['not in the contract'].tables) return [];
    const schemas = schemasOfNoun(document, table.name);
    const names = schemas === undefined ? [] : [...schemas.read, ...schemas.create, ...schemas.patch];
    if (schemas === undefined || names.some((name) => mapped.has(name))) return [];
    const properties = new Map(names.flatMap((name) => propertyNames(document, name).map((one) => [columnName(one), one] as const)));
    const columns = table.columns.flatMap((column) => (isOwnColumn(column) ? [] : [[column.name, properties.get(column.name)] as const]));
    const held = columns.filter((entry): entry is [string, string] => entry[1] !== undefined);
    return [[table.name, { ...schemas, columns: Object.fromEntries(held), isDerived: true }]];
  });
  return { ...map, tables: { ...map.tables, ...Object.fromEntries(derived) } };
}

/** What the operations of a collection and of its items have as bodies; `undefined` if the spec has no such paths, or no named schema of a record. */
export function schemasOfNoun(document: Document, table: string): Pick<MappedTable, 'read' | 'create' | 'patch'> | undefined {
  const noun = table.replaceAll('_', '-');
  const path = Object.keys(document.paths).find((one) => one.endsWith(`/${noun}`) && document.paths[one]?.post !== undefined);
  const item = Object.entries(document.paths).find(([one]) => path !== undefined && new RegExp(`^/\\{[^/]+\\}$`).test(one.slice(path.length)) && one.startsWith(path)); // prettier-ignore
  if (path === undefined || item === undefined) return undefined;
  const [, { get, put, patch }] = item;
  const read = responseSchemas(document, get);
  if (!read.some((name) => propertyNames(document, name).includes('id'))) return undefined;
  const create = [document.paths[path]?.post, put].flatMap((one) => requestSchemas(document, one));
  return { read, create: [...new Set(create)], patch: requestSchemas(document, patch) };
}

/** The names of the schemas of components that media types refer to. */
const namesIn = (content: Readonly<Record<string, MediaType>> = {}): string[] => [
  ...new Set(
    Object.values(content).flatMap(({ schema = {} }) => {
      const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(referenceOf(schema) ?? '') ?? [];
      return name === undefined ? [] : [name];
    }),
  ),
];

const requestSchemas = (document: Document, operation: OperationObject | undefined): string[] =>
  operation?.requestBody === undefined
    ? []
    : namesIn(resolve<{ content?: Record<string, MediaType> }>(document, operation.requestBody).content);

const responseSchemas = (document: Document, operation: OperationObject | undefined): string[] =>
  bodiesOf(document, operation, /^2/).flatMap(namesIn);

const bodiesOf = (document: Document, operation: OperationObject | undefined, status: RegExp) =>
  Object.entries(operation?.responses ?? {}).flatMap(([key, response]) =>
    status.test(key) ? [resolve<{ content?: Record<string, MediaType> }>(document, response).content] : [],
  );

/** The schemas of bodies of errors: what went wrong is said once, and kept in the log. */
export const errorSchemas = (document: Document): ReadonlySet<string> =>
  new Set(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation: unknown) =>
        isObject(operation) && isObject(operation['responses'])
          ? bodiesOf(document, operation as unknown as OperationObject, /^([45]|default)/).flatMap(namesIn)
          : [],
      ),
    ),
  );
