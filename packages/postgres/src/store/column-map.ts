/** Which column holds which property: declared once for each table, and used by every statement on it. */
import type { Knex } from 'knex';
import type { Database } from '../connection/connect.ts';

/** A table of `generated/database.ts`. */
interface TableType {
  readonly base: object;
  readonly insert?: object;
}

type KeyOf<Body> = Body extends unknown ? keyof Body & string : never;
type ValueOf<Body, Property> = Body extends unknown ? (Property extends keyof Body ? Exclude<Body[Property], undefined> : never) : never;
type Holds<Table extends TableType, Column> =
  | (Column extends keyof Table['base'] ? Table['base'][Column] : never)
  | (Column extends keyof Table['insert'] ? Table['insert'][Column] : never);
type ColumnFor<Table extends TableType, Value> = {
  [Column in keyof Table['base'] & string]: [Value] extends [Holds<Table, Column>] ? Column : never;
}[keyof Table['base'] & string];

/**
 * Property -> column: `{ name: 'name', categoryId: 'category_id' } as const satisfies ColumnMap<Tables['pets'], NewPet>`.
 *
 * A property of `Body` that has no column does not compile, nor does a column that the table lacks or that cannot hold the
 * property. Of a union of bodies it has the properties of all.
 */
export type ColumnMap<Table extends TableType, Body = object> = Readonly<Record<string, keyof Table['base'] & string>> & {
  readonly [Property in KeyOf<Body>]: ColumnFor<Table, ValueOf<Body, Property>>;
};

/** What a SELECT of the columns of a map gives. */
export type RowOf<Table extends TableType, Map extends Readonly<Record<string, keyof Table['base'] & string>>> = {
  -readonly [Property in keyof Map]: Table['base'][Map[Property]];
};

/** A row in the words of the contract: a property whose column is NULL is absent. */
export type RecordOf<Row> = { [Property in keyof Row as null extends Row[Property] ? never : Property]: Row[Property] } & {
  [Property in keyof Row as null extends Row[Property] ? Property : never]?: Exclude<Row[Property], null>;
};

type ColumnsOf<Map, Values> = {
  [Property in keyof Values as Property extends keyof Map ? Map[Property] & string : never]: Values[Property];
};

type Columns = Readonly<Record<string, string>>;
/** Not a bound of the map's type: where a property has no column, only the map is an error, and not what is made of it. */
type Covering<Values> = { readonly [Property in keyof Values]-?: string };

/** The columns of the properties that are given, for an INSERT or an UPDATE. `undefined` counts as not given. */
export function toColumns<const Map extends Columns, Values extends object>(map: Map & Covering<Values>, values: Values) {
  const columns: Record<string, unknown> = {};
  for (const property in map) {
    const value: unknown = values[property as unknown as keyof Values];
    if (value !== undefined) columns[map[property] as string] = value;
  }
  return columns as ColumnsOf<Map, Values>;
}

/** As `toColumns` for every column of the map: one whose property is not given gets its DEFAULT, as in a new row. */
export function toAllColumns<const Map extends Columns, Values extends object>(db: Database, map: Map & Covering<Values>, values: Values) {
  const defaults = Object.fromEntries(Object.values<string>(map).map((column) => [column, db.raw('DEFAULT')]));
  return { ...(defaults as Record<Map[keyof Map], Knex.Raw>), ...toColumns(map, values) };
}

/** The columns of a map as RETURNING has them, under the names of their properties. */
export const returning = (map: Readonly<Record<string, string>>): string[] =>
  Object.entries(map).map(([property, column]) => `${column} AS ${property}`);
