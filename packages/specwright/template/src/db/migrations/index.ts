/** The schema of this service: its migrations in order. */
import type { DatabaseSchema } from '@specwright/postgres';

/**
 * Append-only: a migration that has run is never changed, renamed or removed; `npm start` says so of one that was. The first one is `0001_first.ts` beside this file,
 *
 *     import type { Knex } from 'knex';
 *     export const up = (knex: Knex) => knex.raw('CREATE TABLE ...');
 *
 * with `import * as first from './0001_first.ts'` and `{ name: '0001_first', migration: first }` here; then `npx specwright schema`.
 */
export const schema: DatabaseSchema = {
  migrations: [],
};
