/** The types of a database's tables as TypeScript: what a row has, and what an insert may give. */
import type { Column, Table } from '@specwright/postgres';
import { readCheck } from './check-constraints.ts';

const TYPES_HEADER = `/** Generated from the migrated schema by \`npm run schema\`. Do not edit: write a migration. */
import type { Knex } from 'knex';

/** A table in the form of Knex's \`CompositeTableType\`: \`db<Tables['name']>('name')\`. */
interface Table<Row, Insert> {
  base: Row;
  insert: Insert;
  /** With what the database computes, as well: \`version: db.raw('version + 1')\`. */
  update: { [Column in keyof Insert]?: Insert[Column] | Knex.Raw };
  upsert: Partial<Insert>;
}

/**
 * The tables of the database: what a row has, and what an insert may give.
 *
 * A row has the types that the pool of @specwright/postgres reads: \`bigint\` as a number, \`date\` as ISO 8601, \`timestamptz\` too, in UTC.
 * An insert leaves out what the database always makes, and may leave out what has a default.
 */
`;

/** What is read from a column of a type, and what may be written to it where that is more. As node-postgres does it. */
const TYPES: Readonly<Record<string, readonly [read: string, written?: string]>> = {
  smallint: ['number'],
  integer: ['number'],
  bigint: ['number'],
  real: ['number'],
  'double precision': ['number'],
  numeric: ['string', 'string | number'],
  boolean: ['boolean'],
  text: ['string'],
  citext: ['string'],
  character: ['string'],
  'character varying': ['string'],
  uuid: ['string'],
  date: ['string', 'string | Date'],
  'timestamp with time zone': ['string', 'string | Date'],
  'timestamp without time zone': ['Date', 'string | Date'],
  bytea: ['Buffer'],
  json: ['unknown'],
  jsonb: ['unknown'],
};

/** The types whose arrays are read as arrays of what they are read as themselves. */
const IN_ARRAYS = new Set(['smallint', 'integer', 'boolean', 'text', 'character varying', 'uuid']);

/** The types whose values a CHECK can list as they are read. */
const TEXT = new Set(['text', 'citext', 'character varying']);

/** @returns a module that exports `Tables`; the same tables give the same text. */
export function emitTableTypes(tables: readonly Table[]): string {
  const names = typeNames(tables);
  const members = tables.map((table) => `  ${key(table.name)}: Table<${names.get(table) ?? ''}Row, ${names.get(table) ?? ''}Insert>;\n`);
  const rows = tables.map((table) => {
    const name = names.get(table) ?? '';
    return `\ninterface ${name}Row {\n${row(table)}}\n\ninterface ${name}Insert {\n${insert(table)}}\n`;
  });
  return `${TYPES_HEADER}export interface Tables {\n${members.join('')}}\n${rows.join('')}`;
}

/** `api_keys` -> `ApiKeys`. Rows have names, so that an error of the compiler says them instead of all columns. */
function typeNames(tables: readonly Table[]): Map<Table, string> {
  const taken = new Set<string>();
  return new Map(
    tables.map((table) => {
      const words = table.name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
      const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
      const start = /^[A-Za-z]/.test(name) ? name : `Table${name}`;
      const candidates = [start, ...tables.map((_, i) => `${start}${i + 2}`)];
      const free = candidates.find((candidate) => !taken.has(candidate)) ?? start;
      taken.add(free);
      return [table, free];
    }),
  );
}

const row = (table: Table): string => table.columns.map((column) => `  ${key(column.name)}: ${typeOf(table, column, true)};\n`).join('');

const insert = (table: Table): string =>
  table.columns
    .filter((column) => column.insert !== 'never')
    .map((column) => `  ${key(column.name)}${column.insert === 'optional' ? '?' : ''}: ${typeOf(table, column, false)};\n`)
    .join('');

function typeOf(table: Table, column: Column, read: boolean): string {
  // eslint-disable-next-line specwright/linear-expression -- the name of a type, at most 63 bytes and its parameters
  const [, name = '', array] = /^(.+?)(?:\(.*\))?(\[\])?$/.exec(column.type) ?? [];
  const [whenRead, whenWritten = whenRead] = (array === undefined || IN_ARRAYS.has(name) ? TYPES[name] : undefined) ?? ['unknown'];
  const base =
    (array === undefined && (TEXT.has(name) || column.labels !== null) ? literals(table, column) : undefined) ??
    (read ? whenRead : whenWritten);
  const type = base === 'unknown' ? base : `${base}${array ?? ''}`;
  return column.nullable && type !== 'unknown' ? `${type} | null` : type;
}

/** The union of the only values that the type or a CHECK of the column admits; `undefined` if they are not listed. */
function literals(table: Table, column: Column): string | undefined {
  const conditions = table.checks.flatMap(({ definition }) => readCheck(definition) ?? []);
  const values = column.labels ?? conditions.find((condition) => condition.column === column.name && condition.limits.enum)?.limits.enum;
  return values?.map((value) => JSON.stringify(value)).join(' | ');
}

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
