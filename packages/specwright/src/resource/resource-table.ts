/** The table of a resource: its CREATE TABLE, the indexes of its lists, and what a broken constraint is answered with. */
import type { Document } from '@specwright/contract/document';
import { createTable } from '../migrations/create-table.ts';
import { columnName } from '../schema/column-name.ts';
import { type MigrationPlan, identifier } from '../migrations/migration-plan.ts';
import type { SchemaMap } from '../schema/database-locations.ts';
import { propertyFacts } from '../schema/property-facts.ts';
import type { ErrorCodes } from './project-files.ts';
import { type Resource, type ResourceProperty, filtersOf, wordsOf } from './resource.ts';

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
export function planTable(document: Document, resource: Resource, named: readonly ResourceConstraint[]): MigrationPlan {
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
    constraints: named.map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`),
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

/** The entries of `onWrite` and `onDelete` that say how a broken constraint is answered, as TypeScript. */
export function constraintEntries(
  { names, owner }: Resource,
  constraints: readonly ResourceConstraint[],
  { invalidReference, inUse }: ErrorCodes,
) {
  const problem = ({ name }: ResourceProperty, code: string, message: string) =>
    `{ location: 'body', pointer: '/${name}', code: '${code}', message: '${message}' }`;
  const onWrite = constraints.map(({ name, kind, property }) => {
    const missing = `refers to a ${wordsOf(property.reference?.names.one ?? '')} that does not exist`;
    return kind === 'reference'
      ? `${name}: ['${invalidReference}', ${problem(property, 'reference', missing)}],`
      : `${name}: ['invalid_request', ${problem(property, 'format', 'must be in the years 0001 to 9999')}],`;
  });
  const onDelete = constraints.flatMap(({ name, property: { reference } }) => {
    const code = reference && inUse(reference.names.one);
    return code === undefined ? [] : [`${name}: ['${code}', 'the ${reference?.names.word ?? ''} still has ${names.words}'],`];
  });
  return { onWrite: [...(owner === undefined ? [] : [`...accountReferences('${names.table}'),`]), ...onWrite], onDelete };
}
