/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { SignUps } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import type { Sender, WebhookRules } from '@specwright/accounts/webhooks';
import type { Handlers } from '../../generated/contract.ts';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
import type { StockFeed } from '../db/stock-feed.ts';
import type { Caller } from '../security.ts';
import { accountHandlers } from './accounts.ts';
import { categoryHandlers } from './categories.ts';
import { inventoryHandlers } from './inventory.ts';
import { keyHandlers } from './keys.ts';
import { limitHandlers } from './limits.ts';
import { messageHandlers } from './messages.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';
import { photoHandlers } from './photos.ts';
import { webhookHandlers } from './webhooks.ts';

/** What handlers need beside the database. */
export interface HandlerOptions extends WebhookRules {
  /** Sends what the contract declares. */
  readonly sender: Sender<OutgoingTypes>;
  readonly feed: StockFeed;
  /** If sign-ups are confirmed by mail. */
  readonly signUps?: SignUps | undefined;
}

export function createHandlers(db: Database, options: HandlerOptions): Handlers<Caller> {
  return {
    ...petHandlers(db),
    ...photoHandlers(db),
    ...categoryHandlers(db),
    ...orderHandlers(db),
    ...inventoryHandlers(db, options.feed),
    ...accountHandlers(db, options),
    ...keyHandlers(db),
    ...messageHandlers(db, options.sender),
    ...webhookHandlers(db, options),
    ...limitHandlers,
  };
}
