/** Inventory. */
import type { Database } from '@specwright/postgres';
import { pageResponse, parsePage, precondition, recordResponse, replyWithRecord } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { getInventory, listInventory, setInventory } from '../db/inventory.ts';
import { stockEvents } from '../db/stock-events.ts';
import type { Caller } from '../security.ts';

export const inventoryHandlers = {
  listInventory: async ({ query }, reply, { db, caller }) => {
    const found = await listInventory(db, caller.accountId, { statuses: query.status }, parsePage(query));
    return reply(
      200,
      pageResponse('/store/inventory', query, found, (item) => item.petId),
    );
  },

  getInventory: async ({ path, headers }, reply, { db, caller }) =>
    replyWithRecord(reply, headers, await getInventory(db, caller.accountId, path.petId)),

  setInventory: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await setInventory(db, caller.accountId, path.petId, body, precondition(headers)))),

  listenToInventory: ({ headers }, reply, { db, caller }) =>
    reply(200, { items: stockEvents.follow(db, caller.accountId, headers['Last-Event-ID']) }),
} satisfies Partial<Handlers<Caller, Database>>;
