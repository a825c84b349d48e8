/** The schema of this package: webhooks and deliveries, and the queue's own schema. */
import type { ExternalSchema, Migration } from '@specwright/postgres';
import { migrateQueue, queueIsBehind } from '../queue.ts';
import * as webhooks from './0001_webhooks.ts';

/** A service puts it after that of its accounts. Append-only, as any migrations. */
export const WEBHOOK_MIGRATIONS: readonly Migration[] = [{ name: 'webhooks_0001_webhooks', migration: webhooks }];

/** For `external` of the schema of a service. */
export const QUEUE_SCHEMA: ExternalSchema = {
  name: 'the queue',
  migrate: migrateQueue,
  isBehind: queueIsBehind,
};
