/** Orders. */
import type { Database } from '@specwright/postgres';
import { createdResponse, pageResponse, parsePage, precondition, recordResponse, replyWithRecord } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { createOrder, deleteOrder, getOrder, listOrders, updateOrder } from '../db/orders.ts';
import type { Caller } from '../security.ts';

export const orderHandlers = {
  listOrders: async ({ query }, reply, { db, caller }) => {
    const filter = { petId: query.petId, complete: query.complete };
    const found = await listOrders(db, caller.accountId, filter, parsePage(query));
    return reply(200, pageResponse('/store/orders', query, found));
  },

  createOrder: async ({ body }, reply, { db, caller }) => {
    const order = await createOrder(db, caller.accountId, body);
    return reply(201, createdResponse(`/store/orders/${order.record.id}`, order));
  },

  getOrder: async ({ path, headers }, reply, { db, caller }) =>
    replyWithRecord(reply, headers, await getOrder(db, caller.accountId, path.orderId)),

  updateOrder: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await updateOrder(db, caller.accountId, path.orderId, body, precondition(headers)))),

  deleteOrder: async ({ path, headers }, reply, { db, caller }) => {
    await deleteOrder(db, caller.accountId, path.orderId, precondition(headers));
    return reply(204);
  },
} satisfies Partial<Handlers<Caller, Database>>;
