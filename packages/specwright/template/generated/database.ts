/** Generated from the migrated schema by `npx specwright schema`. Do not edit: write a migration. */
import type { Knex } from 'knex';

/** A table in the form of Knex's `CompositeTableType`: `db<Tables['name']>('name')`. */
interface Table<Row, Insert> {
  base: Row;
  insert: Insert;
  /** With what the database computes, as well: `version: db.raw('version + 1')`. */
  update: { [Column in keyof Insert]?: Insert[Column] | Knex.Raw };
  upsert: Partial<Insert>;
}

/**
 * The tables of the database: what a row has, and what an insert may give.
 *
 * A row has the types that the pool of @specwright/postgres reads: `bigint` as a number, `date` as ISO 8601, `timestamptz` too, in UTC.
 * An insert leaves out what the database always makes, and may leave out what has a default.
 */
export interface Tables {
}
