/** The schema of this package: webhooks and deliveries. */
import type { Migration } from '@specwright/postgres';
import * as webhooks from './0001_webhooks.ts';

/** A service puts it after that of its accounts. Append-only, as any migrations. */
export const WEBHOOK_MIGRATIONS: readonly Migration[] = [{ name: 'webhooks_0001_webhooks', migration: webhooks }];
