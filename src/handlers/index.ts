/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { Database } from '@specwright/postgres';
import type { WebhookRules } from '@specwright/webhooks';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';
import { accountHandlers } from './accounts.ts';
import { categoryHandlers } from './categories.ts';
import { inventoryHandlers } from './inventory.ts';
import { keyHandlers } from './keys.ts';
import { limitHandlers } from './limits.ts';
import { messageHandlers } from './messages.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';
import { webhookHandlers } from './webhooks.ts';

export function createHandlers(db: Database, webhooks: WebhookRules = {}): Handlers<Caller> {
  return {
    ...petHandlers(db),
    ...categoryHandlers(db),
    ...orderHandlers(db),
    ...inventoryHandlers(db),
    ...accountHandlers(db),
    ...keyHandlers(db),
    ...messageHandlers(db),
    ...webhookHandlers(db, webhooks),
    ...limitHandlers,
  };
}
