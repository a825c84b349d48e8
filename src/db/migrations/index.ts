/** The schema of this service: its migrations in order, and what its libraries keep in the same database. */
import type { Knex } from 'knex';
import type { Database } from '@specwright/postgres';
import { migrateQueue, queueIsBehind } from '../queue.ts';
import * as petStore from './0001_pet_store.ts';
import * as keys from './0002_keys.ts';
import * as limits from './0003_limits.ts';
import * as messages from './0004_messages.ts';
import * as contractBounds from './0005_contract_bounds.ts';

/** Append-only: one that has been released is never changed, renamed or removed. */
export const MIGRATIONS: readonly { readonly name: string; readonly migration: Knex.Migration }[] = [
  { name: '0001_pet_store', migration: petStore },
  { name: '0002_keys', migration: keys },
  { name: '0003_limits', migration: limits },
  { name: '0004_messages', migration: messages },
  { name: '0005_contract_bounds', migration: contractBounds },
];

/** A schema of its own, with migrations of its own. `migrate` has to be safe from many processes at once. */
export interface Library {
  readonly name: string;
  readonly migrate: (db: Database) => Promise<void>;
  /** Whether the database lacks something of it. */
  readonly isBehind: (db: Database) => Promise<boolean>;
}

export const LIBRARIES: readonly Library[] = [{ name: 'the queue', migrate: migrateQueue, isBehind: queueIsBehind }];
