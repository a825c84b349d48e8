/** Orders. */
import type { Database } from '@specwright/postgres';
import { etag, isFresh, parsePage, pageResponse, precondition } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { createOrder, deleteOrder, getOrder, listOrders, updateOrder } from '../db/orders.ts';
import type { Caller } from '../security.ts';

export const orderHandlers = (db: Database) =>
  ({
    listOrders: async ({ query }, reply, { caller }) => {
      const filter = { petId: query.petId, complete: query.complete };
      const found = await listOrders(db, caller.accountId, filter, parsePage(query));
      return reply(
        200,
        pageResponse('/store/orders', query, found, (order) => order.id),
      );
    },

    createOrder: async ({ body }, reply, { caller }) => {
      const order = await createOrder(db, caller.accountId, body);
      return reply(201, { headers: { Location: `/store/orders/${order.record.id}`, ETag: etag(order) }, body: order.record });
    },

    getOrder: async ({ path, headers }, reply, { caller }) => {
      const order = await getOrder(db, caller.accountId, path.orderId);
      if (isFresh(headers['If-None-Match'], order)) return reply(304, { headers: { ETag: etag(order) } });
      return reply(200, { headers: { ETag: etag(order) }, body: order.record });
    },

    updateOrder: async ({ path, headers, body }, reply, { caller }) => {
      const order = await updateOrder(db, caller.accountId, path.orderId, body, precondition(headers));
      return reply(200, { headers: { ETag: etag(order) }, body: order.record });
    },

    deleteOrder: async ({ path, headers }, reply, { caller }) => {
      await deleteOrder(db, caller.accountId, path.orderId, precondition(headers));
      return reply(204);
    },
  }) satisfies Partial<Handlers<Caller>>;
