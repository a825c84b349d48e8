/** The schema of this service: its migrations in order, those of its accounts first, and the queue's own schema. */
import { ACCOUNT_MIGRATIONS } from '@specwright/accounts';
import type { DatabaseSchema } from '@specwright/postgres';
import { QUEUE_SCHEMA, WEBHOOK_MIGRATIONS } from '@specwright/accounts/webhooks';
import * as petStore from './0001_pet_store.ts';
import * as messages from './0004_messages.ts';
import * as contractBounds from './0005_contract_bounds.ts';
import * as listIndexes from './0006_list_indexes.ts';
import * as webhookFailures from './0007_webhook_failures.ts';
import * as stockEvents from './0008_stock_events.ts';
import * as photos from './0009_photos.ts';
import * as pendingStockEvents from './0010_pending_stock_events.ts';
import * as messageEnds from './0011_message_ends.ts';
import { renewStockEventIds } from '../stock-epoch.ts';

export const schema: DatabaseSchema = {
  /** Append-only: one that has been released is never changed, renamed or removed. */
  migrations: [
    ...ACCOUNT_MIGRATIONS,
    { name: '0001_pet_store', migration: petStore },
    { name: '0004_messages', migration: messages },
    { name: '0005_contract_bounds', migration: contractBounds },
    { name: '0006_list_indexes', migration: listIndexes },
    { name: '0007_webhook_failures', migration: webhookFailures },
    // After those that made the table `webhooks`, which it keeps.
    ...WEBHOOK_MIGRATIONS,
    { name: '0008_stock_events', migration: stockEvents },
    { name: '0009_photos', migration: photos },
    { name: '0010_pending_stock_events', migration: pendingStockEvents },
    { name: '0011_message_ends', migration: messageEnds },
  ],
  external: [QUEUE_SCHEMA],
  afterRecovery: renewStockEventIds,
  // Until version 1.0 accounts had no migrations of their own.
  formerNames: {
    accounts_0001_accounts: '0001_pet_store',
    accounts_0002_keys: '0002_keys',
    accounts_0003_rate_limits: '0003_limits',
    accounts_0004_bounds: '0005_contract_bounds',
  },
};
