/** The table of a resource: its CREATE TABLE, the indexes of its lists, and what a broken constraint is answered with. */
import type { Document } from '@specwright/contract/document';
import { columnName, createTable } from '../migrations/create-table.ts';
import { type MigrationPlan, identifier } from '../migrations/migration-plan.ts';
import { type SchemaMap, parseSchemaMap } from '../schema/database-locations.ts';
import { propertyFacts } from '../schema/property-facts.ts';
import type { Change } from '../stubs/typescript-source.ts';
import { type Resource, type ResourceProperty, filtersOf } from './resource.ts';
import { appendToYaml, removeFromYaml, toYaml } from './spec/yaml-insert.ts';

/** A constraint whose violation is answered with an error. */
export interface ResourceConstraint {
  readonly name: string;
  /** What follows its name. */
  readonly definition: string;
  readonly property: ResourceProperty;
  readonly kind: 'reference' | 'range';
}

const mappedTable = ({ names, properties }: Resource): SchemaMap['tables'][string] => ({
  read: [names.One],
  create: [`New${names.One}`],
  patch: [`${names.One}Patch`],
  columns: Object.fromEntries([['id', 'id'], ...properties.map(({ name }) => [columnName(name), name] as const)]),
});

export function constraintsOf(document: Document, { names, properties, owner }: Resource): ResourceConstraint[] {
  return properties.flatMap((property): ResourceConstraint[] => {
    const { name, reference, isGiven } = property;
    const column = identifier(columnName(name));
    if (reference !== undefined) {
      const keys = (own: string) => [...(owner === undefined ? [] : [owner]), own].join(', ');
      const definition = `FOREIGN KEY (${keys(column)}) REFERENCES ${identifier(reference.names.table)} (${keys('id')})`;
      return [{ name: `${names.table}_${columnName(reference.role)}`, definition, property, kind: 'reference' }];
    }
    if (!isGiven || propertyFacts(document, names.One, name)?.format !== 'date-time') return [];
    // What JSON's date-time can say: four digits of a year.
    const definition = `CHECK (${column} >= '0001-01-01Z' AND ${column} < '10000-01-01Z')`;
    return [{ name: `${names.table}_${columnName(name)}_range`, definition, property, kind: 'range' }];
  });
}

/** @throws Error with every property that no column holds. */
export function planTable(document: Document, resource: Resource): MigrationPlan {
  const { names, owner } = resource;
  const { table } = names;
  const { statement, undecided } = createTable({
    document,
    table,
    mapped: mappedTable(resource),
    shared: [
      ...(owner === undefined ? [] : [{ name: owner, definition: 'bigint NOT NULL REFERENCES accounts ON DELETE CASCADE', isOwner: true }]),
      { name: 'version', definition: 'bigint NOT NULL DEFAULT 1', isOwner: false },
    ],
    constraints: constraintsOf(document, resource).map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`),
    references: resource.properties.flatMap(({ name, reference }) => (reference === undefined ? [] : [name])),
  });
  if (statement === undefined || undecided.length > 0)
    throw new Error([`${table}: not every property has a column:`, ...undecided.map((line) => `  ${line}`)].join('\n'));
  const indexes = filtersOf(resource).map(({ name, reference }) => {
    const columns = [...(owner === undefined ? [] : [owner]), identifier(columnName(name)), 'id'];
    return `CREATE INDEX ${table}_by_${columnName(reference?.role ?? name)} ON ${identifier(table)} (${columns.join(', ')})`;
  });
  return {
    actions: [statement, ...indexes].map((sql) => ({ statement: sql })),
    entries: [],
    compatible: true,
    columns: [table],
    undecided: [],
    notes: [],
  };
}

/** The schema map with the table of a resource. */
const INDENT = 2;
const OUTSIDE = 'not in the contract';
const OWNER = 'Whose it is. The credentials say so in every request.';
const RANGE = 'A date-time has four digits of a year (RFC 3339), which its format checks.';
const UNSTORED = 'What went wrong is said once, and kept in the log.';

export interface MapOptions {
  readonly file: string;
  readonly text: string;
  readonly resource: Resource;
  readonly constraints: readonly ResourceConstraint[];
  /** New schemas that no table holds. */
  readonly unstored: readonly string[];
}

/** @returns the text of the map. */
export async function mapResource({ file, text, resource, constraints, unstored }: MapOptions): Promise<string> {
  const { names, owner } = resource;
  const { columns, ...schemas } = mappedTable(resource);
  const map = parseSchemaMap(file, text);
  const inBraces = (entries: Readonly<Record<string, string>>) =>
    `{ ${Object.entries(entries)
      .map((entry) => entry.join(': '))
      .join(', ')} }`;
  const lists = Object.entries(schemas).map(([kind, list]) => `  ${kind}: [${list.join(', ')}]\n`);
  const append = async (before: string, path: readonly string[], entries: readonly (readonly [string, string])[]) => {
    const texts = await Promise.all(entries.map(([name, reason]) => toYaml({ [name]: reason }, { indent: INDENT, compact: true })));
    return appendToYaml(before, path, texts, INDENT);
  };

  let result = removeFromYaml(text, ['not in the database', 'schemas', names.One]);
  result = appendToYaml(result, ['tables'], [`${names.table}:\n${lists.join('')}  columns: ${inBraces(columns)}\n`], INDENT);
  const shared = [...(owner === undefined ? [] : [owner]), 'version'].filter((name) => !(name in map[OUTSIDE].columns));
  const ofShared = shared.map((name) => [name, name === 'version' ? 'The ETag.' : OWNER] as const);
  const ranges = constraints.flatMap(({ kind, name }) => (kind === 'range' ? [[name, RANGE] as const] : []));
  result = await append(result, [OUTSIDE, 'columns'], ofShared);
  result = await append(result, [OUTSIDE, 'constraints'], ranges);
  return append(
    result,
    ['not in the database', 'schemas'],
    unstored.map((name) => [name, UNSTORED] as const),
  );
}

/** The statements of docs/scaling.md that distribute the tables by account, with Citus: a new table of accounts needs its own. */
export const DISTRIBUTION_FILE = 'docs/scaling.md';

/** @returns nothing if the page has no such statements. */
export function distributionChanges(page: string, { names, owner }: Resource, constraints: readonly ResourceConstraint[]): Change[] {
  if (owner === undefined) return [];
  const table = identifier(names.table);
  const keys = [
    { name: `${names.table}_${owner}_fkey`, definition: `FOREIGN KEY (${owner}) REFERENCES accounts (${owner}) ON DELETE CASCADE` },
    ...constraints.filter(({ kind }) => kind === 'reference'),
  ];
  const distributed = lastLine(page, /^SELECT create_distributed_table\('\w+', 'account_id'(, colocate_with => '\w+')?\);$/gm);
  const dropped = lastLine(page, /^ALTER TABLE \w+ DROP CONSTRAINT .*;$/gm);
  const restored = lastLine(page, /^ALTER TABLE \w+ ADD CONSTRAINT \w+ FOREIGN KEY .*;$/gm);
  if (distributed === undefined || dropped === undefined || restored === undefined) return [];
  const line = (at: number, text: string): Change => ({ at, text: `\n${text}` });
  return [
    line(dropped.end, `ALTER TABLE ${table} ${keys.map(({ name }) => `DROP CONSTRAINT ${name}`).join(', ')};`),
    line(distributed.end, distributed.text.replace(/'\w+'/, `'${names.table}'`)),
    line(restored.end, keys.map(({ name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition};`).join('\n')),
  ];
}

function lastLine(page: string, pattern: RegExp): { readonly text: string; readonly end: number } | undefined {
  const match = [...page.matchAll(pattern)].at(-1);
  return match && { text: match[0], end: match.index + match[0].length };
}
