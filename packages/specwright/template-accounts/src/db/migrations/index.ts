/** The schema of this service: its migrations in order, those of its accounts first. */
import { ACCOUNT_MIGRATIONS } from '@specwright/accounts';
import type { DatabaseSchema } from '@specwright/postgres';

/**
 * Append-only: a migration that has run is never changed, renamed or removed. The first one is `0001_first.ts` beside this file,
 *
 *     import type { Knex } from 'knex';
 *     export const up = (knex: Knex) => knex.raw('CREATE TABLE ...');
 *
 * with `import * as first from './0001_first.ts'` and `{ name: '0001_first', migration: first }` here; then `npx specwright schema`.
 * What belongs to an account has its id: `account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE`.
 */
export const schema: DatabaseSchema = {
  migrations: [...ACCOUNT_MIGRATIONS],
};
