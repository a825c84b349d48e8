/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { SignUps } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import type { Sender, WebhookRules } from '@specwright/accounts/webhooks';
import type { Handlers } from '../../generated/contract.ts';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
import type { Caller } from '../security.ts';
import { accountHandlers, signUpHandlers } from './accounts.ts';
import { categoryHandlers } from './categories.ts';
import { inventoryHandlers } from './inventory.ts';
import { keyHandlers } from './keys.ts';
import { limitHandlers } from './limits.ts';
import { messageHandlers } from './messages.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';
import { photoHandlers } from './photos.ts';
import { webhookHandlers } from './webhooks.ts';

/** What some handlers need beside `context.db`. */
export interface HandlerOptions extends WebhookRules {
  /** Sends what the contract declares. */
  readonly sender: Sender<OutgoingTypes>;
  /** If sign-ups are confirmed by mail. */
  readonly signUps?: SignUps | undefined;
}

export const createHandlers = (options: HandlerOptions) =>
  ({
    ...petHandlers,
    ...photoHandlers,
    ...categoryHandlers,
    ...orderHandlers,
    ...inventoryHandlers,
    ...accountHandlers,
    ...(options.signUps && signUpHandlers(options.signUps, options.sender)),
    ...keyHandlers,
    ...messageHandlers(options.sender),
    ...webhookHandlers(options),
    ...limitHandlers,
  }) satisfies Omit<Handlers<Caller, Database>, keyof ReturnType<typeof signUpHandlers>>;
