/** The migration of the event logs, for the schema of a service. */
import type { Migration } from '../../schema/database-schema.ts';
import { createEventTables } from './0001_event_log.ts';

/**
 * A service puts it before its own. Append-only, as any migrations.
 *
 * @param accounts the table of the accounts, by whose primary key events belong to one: they are deleted with it. Without it events end by their
 *   age alone.
 */
export const eventMigrations = (accounts?: string): readonly Migration[] => [
  { name: 'events_0001_event_log', migration: { up: (knex) => createEventTables(knex, accounts) } },
];
