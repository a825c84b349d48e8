/** The schema of this service: its migrations in order, those of its packages first. */
import { ACCOUNT_MIGRATIONS } from '@specwright/accounts';
import type { DatabaseSchema } from '@specwright/postgres';
import { eventMigrations } from '@specwright/postgres/events';
import { WEBHOOK_MIGRATIONS } from '@specwright/accounts/webhooks';
import * as petStore from './0001_pet_store.ts';

export const schema: DatabaseSchema = {
  /** Append-only: one that has been released is never changed, renamed or removed. */
  migrations: [
    ...ACCOUNT_MIGRATIONS,
    ...eventMigrations('accounts'),
    ...WEBHOOK_MIGRATIONS,
    { name: '0001_pet_store', migration: petStore },
  ],
};
