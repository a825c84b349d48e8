/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { Handlers } from '../contract/types.ts';
import type { Database } from '../db/connect.ts';
import { accountHandlers } from './accounts.ts';
import { categoryHandlers } from './categories.ts';
import { inventoryHandlers } from './inventory.ts';
import { limitHandlers } from './limits.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';

export function createHandlers(db: Database): Handlers {
  return {
    ...petHandlers(db),
    ...categoryHandlers(db),
    ...orderHandlers(db),
    ...inventoryHandlers(db),
    ...accountHandlers(db),
    ...limitHandlers,
  };
}
