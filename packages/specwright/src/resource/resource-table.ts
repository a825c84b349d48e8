/** The table of a resource: its CREATE TABLE, the indexes of its lists, and what a broken constraint is answered with. */
import type { Document } from '@specwright/contract/document';
import { createTable } from '../migrations/create-table.ts';
import { columnName } from '../migrations/desired-column.ts';
import type { MigrationPlan } from '../migrations/migration-plan.ts';
import { identifier } from '../migrations/sql-identifier.ts';
import { propertyFacts } from '../schema/property-facts.ts';
import type { SchemaMap } from '../schema/schema-map.ts';
import { filtersOf, type Resource, type ResourceProperty } from './resource.ts';

/** A constraint whose violation is answered with an error. */
export interface ResourceConstraint {
  readonly name: string;
  /** What follows its name. */
  readonly definition: string;
  readonly property: ResourceProperty;
  readonly kind: 'reference' | 'range';
}

export const mappedTable = ({ names, properties }: Resource): SchemaMap['tables'][string] => ({
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
