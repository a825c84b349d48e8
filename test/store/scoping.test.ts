/** Every store function is limited to the records of its account: an id of another account is not found. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as accounts from '@specwright/accounts';
import * as categories from '../../src/db/categories.ts';
import type { Database, Transaction } from '@specwright/postgres';
import { dumpRows, withDatabase } from 'specwright/testing';
import * as webhooks from '@specwright/accounts/webhooks';
import * as messages from '../../src/db/messages.ts';
import * as inventory from '../../src/db/inventory.ts';
import * as orders from '../../src/db/orders.ts';
import * as pets from '../../src/db/pets.ts';
import * as photos from '../../src/db/photos.ts';
import { inParts, PIXEL } from '../support/service/images.ts';
import { findRecordNouns } from '../support/service/record-nouns.ts';
import { sender } from '../support/service/sender.ts';
import { openShop } from '../support/service/shop.ts';

interface Theirs {
  readonly petId: number;
  readonly categoryId: number;
  readonly orderId: number;
  readonly keyId: number;
  readonly messageId: string;
  readonly photoId: number;
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
  findDelivery: { answers: undefined, attempts: [(db, me, { messageId }) => webhooks.findDelivery(db, me, messageId)] },
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
  listPhotos: { answers: [], attempts: [(db, me, { petId }) => photos.listPhotos(db, me, petId, PAGE)] },
  getPhoto: { answers: 'not_found', attempts: [(db, me, { petId, photoId }) => photos.getPhoto(db, me, petId, photoId)] },
  readPhoto: {
    answers: expect.objectContaining({ message: expect.stringContaining('is gone') }),
    attempts: [
      (db, me, { photoId }) =>
        photos
          .readPhoto(db, me, photoId, { start: 0, end: 0 })
          .next()
          .catch((error: unknown) => error),
    ],
  },
  insertPhoto: {
    answers: 'not_found',
    attempts: [(db, me, { petId }) => photos.insertPhoto(db, me, petId, {}, inParts(PIXEL), new Date())],
  },
  deletePhoto: { answers: 'not_found', attempts: [(db, me, { petId, photoId }) => photos.deletePhoto(db, me, petId, photoId)] },
  deletePhotosOf: { answers: 0, attempts: [(db, me, { petId }) => photos.deletePhotosOf(db as Transaction, me, petId)] },
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

/** Functions that are given no id of another account, or run within a transaction of the functions above. */
const EXEMPT = [
  'createCategory',
  'createMessage',
  'deleteWebhook',
  'getAccount',
  'getWebhook',
  'hasOpenOrder',
  'insertKey',
  'issueKey',
  'listKeys',
  'lockStock',
  'moveReservation',
  'recordRemoval',
  'recordStock',
  'setWebhook',
];

const database = withDatabase();

/** The functions that a module exports and whose second parameter is `accountId`, or the `owner` of keys, by their names. */
const scopedFunctions = (module: object): string[] =>
  Object.entries(module).flatMap(([name, value]) =>
    typeof value === 'function' && /^[^(]*\(\w+,\s*(?:accountId|owner)\b/.test(String(value)) ? [name] : [],
  );

test('every function that takes an account is tried here', async () => {
  const files = readdirSync('src/db').filter((file) => file.endsWith('.ts'));
  const modules = (await Promise.all(files.map((file) => import(`../../src/db/${file}`)))) as object[];
  const listed = [...Object.keys(ATTEMPTS), ...EXEMPT];
  // What is only such functions is tried in record-scoping.test.ts.
  const elsewhere = (await findRecordNouns()).flatMap(({ functions }) => Object.values(functions).map(({ name }) => name));
  const found = [accounts, webhooks, ...modules]
    .flatMap(scopedFunctions)
    .filter((name) => listed.includes(name) || !elsewhere.includes(name));
  expect(listed.sort()).toEqual(found.sort());
});

test.each(Object.entries(ATTEMPTS))('%s neither reads nor changes records of another account', async (_, { answers, attempts }) => {
  const them = await openShop(database.db, 5);
  const order = await orders.createOrder(database.db, them.accountId, { petId: them.petIds[0] });
  const [key] = await accounts.listKeys(database.db, them.accountId, PAGE);
  const message = await messages.createMessage(database.db, them.accountId, { message: 'hello' }, sender, {});
  const photo = await photos.insertPhoto(database.db, them.accountId, them.petIds[0], {}, inParts(PIXEL), new Date());
  const theirs = {
    petId: them.petIds[0],
    categoryId: them.categoryId,
    orderId: order.record.id,
    keyId: key?.id ?? 0,
    messageId: message.record.id,
    photoId: photo.record.id,
  };
  const me = await openShop(database.db);
  await categories.deleteCategory(database.db, me.accountId, me.categoryId);
  const before = await dumpRows(database.db);
  for (const attempt of attempts) {
    const answer = await attempt(database.db, me.accountId, theirs).catch((error: unknown) => (error as { code: string }).code);
    expect(answer).toEqual(answers);
  }
  expect(await dumpRows(database.db)).toBe(before);
});

test('listKeys lists the keys of one account only', async () => {
  const [them, me] = [await openShop(database.db), await openShop(database.db)];
  const mine = (await accounts.listKeys(database.db, me.accountId, PAGE)).map(({ id }) => id);
  const theirs = (await accounts.listKeys(database.db, them.accountId, PAGE)).map(({ id }) => id);
  expect([mine.length, theirs.length, mine[0] === theirs[0]]).toEqual([1, 1, false]);
});

test("an order and a pet cannot be moved to another account's pet and category", async () => {
  const them = await openShop(database.db, 5);
  const me = await openShop(database.db, 5);
  const mine = await orders.createOrder(database.db, me.accountId, { petId: me.petIds[0] });
  const refused = { code: 'invalid_reference' };
  await expect(orders.updateOrder(database.db, me.accountId, mine.record.id, { petId: them.petIds[0] })).rejects.toMatchObject(refused);
  await expect(pets.updatePet(database.db, me.accountId, me.petIds[0], { categoryId: them.categoryId })).rejects.toMatchObject(refused);
});
