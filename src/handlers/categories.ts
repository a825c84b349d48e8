/** Categories. */
import type { Database } from '@specwright/postgres';
import { createdResponse, pageResponse, parsePage, precondition, recordResponse, replyWithRecord } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { createCategory, deleteCategory, getCategory, listCategories, replaceCategory, updateCategory } from '../db/categories.ts';
import type { Caller } from '../security.ts';

export const categoryHandlers = {
  listCategories: async ({ query }, reply, { db, caller }) => {
    const found = await listCategories(db, caller.accountId, parsePage(query));
    return reply(200, pageResponse('/categories', query, found));
  },

  createCategory: async ({ body }, reply, { db, caller }) => {
    const category = await createCategory(db, caller.accountId, body);
    return reply(201, createdResponse(`/categories/${category.record.id}`, category));
  },

  getCategory: async ({ path, headers }, reply, { db, caller }) =>
    replyWithRecord(reply, headers, await getCategory(db, caller.accountId, path.categoryId)),

  replaceCategory: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await replaceCategory(db, caller.accountId, path.categoryId, body, precondition(headers)))),

  updateCategory: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await updateCategory(db, caller.accountId, path.categoryId, body, precondition(headers)))),

  deleteCategory: async ({ path, headers }, reply, { db, caller }) => {
    await deleteCategory(db, caller.accountId, path.categoryId, precondition(headers));
    return reply(204);
  },
} satisfies Partial<Handlers<Caller, Database>>;
