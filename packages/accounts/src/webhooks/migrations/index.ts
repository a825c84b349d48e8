/** The schema of this package: webhooks and deliveries, and the queue's own schema. */
import type { ExternalSchema, Migration } from '@specwright/postgres';
import { migrateQueue, queueIsBehind } from '../queue.ts';
import * as webhooks from './0001_webhooks.ts';
import * as deliveryEnds from './0002_delivery_ends.ts';

/** A service puts them after those of its accounts, and after its own that made a table `webhooks`. Append-only, as any migrations. */
export const WEBHOOK_MIGRATIONS: readonly Migration[] = [
  { name: 'webhooks_0001_webhooks', migration: webhooks },
  { name: 'webhooks_0002_delivery_ends', migration: deliveryEnds },
];

/** For `external` of the schema of a service. */
export const QUEUE_SCHEMA: ExternalSchema = {
  name: 'the queue',
  migrate: migrateQueue,
  isBehind: queueIsBehind,
};
