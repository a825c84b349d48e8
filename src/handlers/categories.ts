/** Categories. */
import type { Database } from '@specwright/postgres';
import { createdResponse, isFresh, notModifiedResponse, pageResponse, parsePage, precondition, recordResponse } from '@specwright/server';
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

  getCategory: async ({ path, headers }, reply, { db, caller }) => {
    const category = await getCategory(db, caller.accountId, path.categoryId);
    if (isFresh(headers['If-None-Match'], category)) return reply(304, notModifiedResponse(category));
    return reply(200, recordResponse(category));
  },

  replaceCategory: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await replaceCategory(db, caller.accountId, path.categoryId, body, precondition(headers)))),

  updateCategory: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await updateCategory(db, caller.accountId, path.categoryId, body, precondition(headers)))),

  deleteCategory: async ({ path, headers }, reply, { db, caller }) => {
    await deleteCategory(db, caller.accountId, path.categoryId, precondition(headers));
    return reply(204);
  },
} satisfies Partial<Handlers<Caller, Database>>;
