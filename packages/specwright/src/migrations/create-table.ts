/** The CREATE TABLE of a new noun: a column for each property of its schemas, and the columns that the other tables share. */
import type { Document } from '@specwright/contract/document';
import type { Column, Table } from '@specwright/postgres';
import { propertyFacts, propertyNames } from '../schema/property-facts.ts';
import type { SchemaMap } from '../schema/schema-map.ts';
import { columnName, desiredColumn, type DesiredColumn } from './desired-column.ts';
import type { ColumnEntry } from './migration-plan.ts';
import { identifier } from './sql-identifier.ts';

/** A column that no schema has: whose a record is, its version. */
export interface SharedColumn {
  readonly name: string;
  /** What follows its name: `bigint NOT NULL REFERENCES accounts ON DELETE CASCADE`. */
  readonly definition: string;
  /** Whether each key begins with it. */
  readonly isOwner: boolean;
}

export interface TableQuestion {
  readonly document: Document;
  readonly table: string;
  /** Its schemas, and the columns that have a name already: those of its other properties are derived. */
  readonly mapped: SchemaMap['tables'][string];
  readonly shared: readonly SharedColumn[];
  /** `CONSTRAINT name ...` beside its key. */
  readonly constraints?: readonly string[];
  /** The properties that one of them makes a foreign key: it bounds them as well. */
  readonly references?: readonly string[];
  /** The properties that the map excepts, as `Schema.property`. */
  readonly isException?: (property: string) => boolean;
}

export interface TablePlan {
  /** `undefined` if its key has to be decided. */
  readonly statement: string | undefined;
  /** The properties that have a column now and are not in the map. */
  readonly entries: readonly ColumnEntry[];
  readonly undecided: readonly string[];
  readonly notes: readonly string[];
}

/** Columns that the map excepts of every table, as the first table has them that does not make their values. */
export function sharedColumns(map: SchemaMap, tables: readonly Table[]): SharedColumn[] {
  const mapped = tables.filter(({ name }) => name in map.tables);
  return Object.keys(map['not in the contract'].columns).flatMap((name) => {
    if (name.includes('.')) return [];
    const column = mapped.flatMap(({ columns }) => columns.filter((one) => one.name === name && one.insert !== 'never'))[0];
    return column === undefined ? [] : [{ name, definition: definitionOf(column), isOwner: column.references !== null }];
  });
}

function definitionOf({ type, nullable, default: value, references }: Column): string {
  const reference = references && `REFERENCES ${identifier(references.table)}${references.deletes === true ? ' ON DELETE CASCADE' : ''}`;
  return [type, nullable ? '' : 'NOT NULL', value === null ? '' : `DEFAULT ${value}`, reference].filter(Boolean).join(' ');
}

/** Nothing is guessed of what two schemas say differently, or of what one column does not hold: that is undecided. */
export function createTable(question: TableQuestion): TablePlan {
  const { document, table, mapped, shared, constraints = [], references = [], isException = () => false } = question;
  const schemas = [...new Set([...mapped.read, ...mapped.create, ...mapped.patch])];
  const properties = [
    ...new Set(schemas.flatMap((schema) => propertyNames(document, schema).filter((name) => !isException(`${schema}.${name}`)))),
  ];
  const nameOf = new Map(Object.entries(mapped.columns).map(([column, property]) => [property, column]));
  const entries: ColumnEntry[] = [];
  const undecided: string[] = [];
  const notes: string[] = [];
  const columns: string[] = [];
  for (const property of properties) {
    const name = nameOf.get(property) ?? columnName(property);
    const full = `${table}.${name}`;
    const desired = desiredColumn({ document, mapped, property, name });
    if ('reason' in desired) {
      undecided.push(`${full}: ${property} ${desired.reason}: add it to the migration by hand`);
      continue;
    }
    const isGiven = [...mapped.create, ...mapped.patch].some((schema) => isWritable(document, schema, property));
    const isReference = references.includes(property);
    columns.push(
      `${identifier(name)} ${columnDefinition(isReference ? { ...desired, check: undefined } : desired, isGiven, name === 'id')}`,
    );
    if (!nameOf.has(property)) entries.push({ table, column: name, property });
    if (name.endsWith('_id') && !isReference) notes.push(`${full}: if it refers to another table, add a foreign key to the migration`);
  }
  const owners = shared.filter(({ isOwner }) => isOwner).map(({ name }) => name);
  for (const owner of owners) notes.push(`${table}.${owner}: say in the stores what a broken ${table}_${owner}_fkey means to a client`);
  const own = nameOf.get('id') ?? (properties.includes('id') ? 'id' : undefined);
  if (own === undefined) {
    undecided.push(`${table}: no property is called id, so its key is yours to choose: write its CREATE TABLE`);
    return { statement: undefined, entries: [], undecided, notes: [] };
  }
  const isShared = ({ isOwner }: SharedColumn) => !isOwner;
  const definition = ({ name, definition: rest }: SharedColumn) => `${identifier(name)} ${rest}`;
  const parts = [
    ...shared.filter(({ isOwner }) => isOwner).map(definition),
    ...columns,
    ...shared.filter(isShared).map(definition),
    `PRIMARY KEY (${[...owners, own].map(identifier).join(', ')})`,
    ...constraints,
  ];
  return {
    statement: `CREATE TABLE ${identifier(table)} (\n${parts.map((part) => `      ${part}`).join(',\n')}\n    )`,
    entries,
    undecided,
    notes,
  };
}

const isWritable = (document: Document, schema: string, property: string): boolean => {
  const facts = propertyFacts(document, schema, property);
  return facts !== undefined && !facts.readOnly;
};

/** @param isGiven whether a client gives it; what the server makes has a value that the database can make, where there is one. */
function columnDefinition({ type, nullable, default: value, check, limits }: DesiredColumn, isGiven: boolean, isId: boolean): string {
  if (!isGiven && isId && (type === 'bigint' || type === 'integer')) {
    const most = limits.maximum;
    const range = most !== undefined && Number.isSafeInteger(most) ? ` (MAXVALUE ${most})` : '';
    // Its sequence begins at 1, which limits the column only if no INSERT can give another value.
    return `${type} GENERATED ${limits.minimum === 1 ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${range}`;
  }
  const made = isGiven ? undefined : type === 'uuid' ? 'gen_random_uuid()' : type === 'timestamptz' && !nullable ? 'now()' : undefined;
  const standard = value ?? made;
  return [type, nullable ? '' : 'NOT NULL', standard === undefined ? '' : `DEFAULT ${standard}`, check && `CHECK (${check})`]
    .filter(Boolean)
    .join(' ');
}
