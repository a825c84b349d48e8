/** Every store function sees the records of its account alone: another's id answers as one that does not exist. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as accounts from '@specwright/accounts';
import * as categories from '../../src/db/categories.ts';
import type { Database } from '@specwright/postgres';
import { dumpRows, createDatabase, type TestDatabase } from '@specwright/testing';
import * as messages from '../../src/db/messages.ts';
import * as inventory from '../../src/db/inventory.ts';
import * as orders from '../../src/db/orders.ts';
import * as pets from '../../src/db/pets.ts';
import { openShop } from '../support/shop.ts';

interface Theirs {
  readonly petId: number;
  readonly categoryId: number;
  readonly orderId: number;
  readonly keyId: number;
  readonly messageId: string;
}

type Attempt = (db: Database, me: number, theirs: Theirs) => Promise<unknown>;

const PAGE = { after: 0, limit: 100 };

/** What each function answers to someone who names another account's records. */
const ATTEMPTS: Record<string, { answers: unknown; attempts: Attempt[] }> = {
  listCategories: { answers: [], attempts: [(db, me) => categories.listCategories(db, me, PAGE)] },
  listPets: {
    answers: [],
    attempts: [
      (db, me) => pets.listPets(db, me, {}, PAGE),
      (db, me, { categoryId }) => pets.listPets(db, me, { categoryId, statuses: ['available', 'pending'] }, PAGE),
    ],
  },
  listInventory: {
    answers: [],
    attempts: [
      (db, me) => inventory.listInventory(db, me, {}, PAGE),
      (db, me) => inventory.listInventory(db, me, { statuses: ['available', 'pending', 'sold'] }, PAGE),
    ],
  },
  listOrders: {
    answers: [],
    attempts: [
      (db, me) => orders.listOrders(db, me, {}, PAGE),
      (db, me, { petId }) => orders.listOrders(db, me, { petId, complete: false }, PAGE),
    ],
  },
  getCategory: { answers: 'not_found', attempts: [(db, me, { categoryId }) => categories.getCategory(db, me, categoryId)] },
  getPet: { answers: 'not_found', attempts: [(db, me, { petId }) => pets.getPet(db, me, petId)] },
  getInventory: { answers: 'not_found', attempts: [(db, me, { petId }) => inventory.getInventory(db, me, petId)] },
  getOrder: { answers: 'not_found', attempts: [(db, me, { orderId }) => orders.getOrder(db, me, orderId)] },
  getMessage: { answers: 'not_found', attempts: [(db, me, { messageId }) => messages.getMessage(db, me, messageId)] },
  findQueued: { answers: undefined, attempts: [(db, me, { messageId }) => messages.findQueued(db, me, messageId)] },
  endMessage: {
    answers: undefined,
    attempts: [(db, me, { messageId }) => messages.endMessage(db, me, messageId, { status: 'sent', attempts: 0 })],
  },
  retryMessage: {
    answers: undefined,
    attempts: [(db, me, { messageId }) => messages.retryMessage(db, me, messageId, { attempts: 1, delay: 0 })],
  },
  updateCategory: {
    answers: 'not_found',
    attempts: [(db, me, { categoryId }) => categories.updateCategory(db, me, categoryId, { name: 'x' })],
  },
  replaceCategory: {
    answers: 'not_found',
    attempts: [(db, me, { categoryId }) => categories.replaceCategory(db, me, categoryId, { name: 'x' })],
  },
  replacePet: {
    answers: 'not_found',
    attempts: [(db, me, { petId, categoryId }) => pets.replacePet(db, me, petId, { name: 'x', categoryId, status: 'available' })],
  },
  updatePet: { answers: 'not_found', attempts: [(db, me, { petId }) => pets.updatePet(db, me, petId, { name: 'x' })] },
  setInventory: { answers: 'not_found', attempts: [(db, me, { petId }) => inventory.setInventory(db, me, petId, { quantity: 99 })] },
  updateOrder: { answers: 'not_found', attempts: [(db, me, { orderId }) => orders.updateOrder(db, me, orderId, { complete: true })] },
  deleteCategory: { answers: 'not_found', attempts: [(db, me, { categoryId }) => categories.deleteCategory(db, me, categoryId)] },
  deletePet: { answers: 'not_found', attempts: [(db, me, { petId }) => pets.deletePet(db, me, petId)] },
  deleteOrder: { answers: 'not_found', attempts: [(db, me, { orderId }) => orders.deleteOrder(db, me, orderId)] },
  getKey: { answers: 'not_found', attempts: [(db, me, { keyId }) => accounts.getKey(db, me, keyId)] },
  revokeKey: {
    answers: 'not_found',
    attempts: [(db, me, { keyId }) => accounts.revokeKey(db, me, keyId, new Date(), { allowLast: true })],
  },
  rotateKey: { answers: 'not_found', attempts: [(db, me, { keyId }) => accounts.rotateKey(db, me, keyId, 60, new Date())] },
  createPet: {
    answers: 'invalid_reference',
    attempts: [(db, me, { categoryId }) => pets.createPet(db, me, { name: 'x', categoryId, status: 'available' })],
  },
  createOrder: {
    answers: 'invalid_reference',
    attempts: [
      (db, me, { petId }) => orders.createOrder(db, me, { petId }),
      (db, me, { petId }) => orders.createOrder(db, me, { petId, complete: true }),
    ],
  },
};

/** They name no record that could be another's (an account's keys are never none), or are steps within a transaction of the functions above. */
const EXEMPT = [
  'createCategory',
  'createKey',
  'createMessage',
  'DELIVERY',
  'hasOpenOrders',
  'insertKey',
  'issueKey',
  'listKeys',
  'moveStock',
  'setPetStatus',
];

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

test('no store function is missing here', () => {
  const keyFunctions = Object.keys(accounts).filter((name) => /Keys?$/.test(name));
  const exported = [...keyFunctions, ...[categories, pets, inventory, orders, messages].flatMap((module) => Object.keys(module))];
  expect([...Object.keys(ATTEMPTS), ...EXEMPT].sort()).toEqual(exported.sort());
});

test.each(Object.entries(ATTEMPTS))('%s sees nothing of another account, and changes nothing there', async (_, { answers, attempts }) => {
  const them = await openShop(db, 5);
  const order = await orders.createOrder(db, them.accountId, { petId: them.petIds[0] });
  const [key] = await accounts.listKeys(db, them.accountId, PAGE);
  const message = await messages.createMessage(db, them.accountId, { message: 'hello' }, new Date());
  const theirs = {
    petId: them.petIds[0],
    categoryId: them.categoryId,
    orderId: order.record.id,
    keyId: key?.id ?? 0,
    messageId: message.record.id,
  };
  const me = await openShop(db);
  await categories.deleteCategory(db, me.accountId, me.categoryId);
  const before = await dumpRows(db);
  for (const attempt of attempts) {
    const answer = await attempt(db, me.accountId, theirs).catch((error: unknown) => (error as { code: string }).code);
    expect(answer).toEqual(answers);
  }
  expect(await dumpRows(db)).toBe(before);
});

test('the keys of an account are listed to it alone', async () => {
  const [them, me] = [await openShop(db), await openShop(db)];
  const mine = (await accounts.listKeys(db, me.accountId, PAGE)).map(({ id }) => id);
  const theirs = (await accounts.listKeys(db, them.accountId, PAGE)).map(({ id }) => id);
  expect([mine.length, theirs.length, mine[0] === theirs[0]]).toEqual([1, 1, false]);
});

test("an order and a pet of mine cannot be moved to another account's pet and category", async () => {
  const them = await openShop(db, 5);
  const me = await openShop(db, 5);
  const mine = await orders.createOrder(db, me.accountId, { petId: me.petIds[0] });
  const refused = { code: 'invalid_reference' };
  await expect(orders.updateOrder(db, me.accountId, mine.record.id, { petId: them.petIds[0] })).rejects.toMatchObject(refused);
  await expect(pets.updatePet(db, me.accountId, me.petIds[0], { categoryId: them.categoryId })).rejects.toMatchObject(refused);
});
