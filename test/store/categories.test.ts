/** Categories: what a change keeps, whom it waits for, and what may be deleted. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from '../../src/db/categories.ts';
import type { Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { createPet, deletePet } from '../../src/db/pets.ts';
import { newAccount } from '../support/app.ts';

const MISSING = 9007199254740991;

let database: TestDatabase;
let db: Database;
let accountId: number;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
  ({ accountId } = await newAccount(db));
});
afterAll(() => database.drop());

test('a category reads as it was made, with or without a description', async () => {
  for (const values of [{ name: 'Dogs' }, { name: 'Cats', description: '' }, { name: 'Fish', description: 'Wet.' }]) {
    const made = await createCategory(db, accountId, values);
    expect(made.record).toEqual({ id: expect.any(Number), ...values });
    expect(await getCategory(db, accountId, made.record.id)).toEqual(made);
    expect(await listCategories(db, accountId, { after: made.record.id - 1, limit: 1 })).toEqual([made.record]);
  }
});

test('a change keeps what it does not name; null removes the description', async () => {
  const { record } = await createCategory(db, accountId, { name: 'Dogs', description: 'Loud.' });
  const { id } = record;
  expect((await updateCategory(db, accountId, id, {})).record).toEqual({ id, name: 'Dogs', description: 'Loud.' });
  expect((await updateCategory(db, accountId, id, { name: 'Hounds' })).record).toEqual({ id, name: 'Hounds', description: 'Loud.' });
  expect((await updateCategory(db, accountId, id, { description: null })).record).toEqual({ id, name: 'Hounds' });
});

describe('a precondition', () => {
  test('that holds lets the change through, and the version moves on', async () => {
    const { record, version } = await createCategory(db, accountId, { name: 'Dogs' });
    const changed = await updateCategory(db, accountId, record.id, { name: 'Hounds' }, (seen) => seen === version);
    expect(changed.version).not.toBe(version);
    await deleteCategory(db, accountId, record.id, (seen) => seen === changed.version);
  });

  test('that fails leaves everything as it was', async () => {
    const made = await createCategory(db, accountId, { name: 'Dogs' });
    const refused = { code: 'precondition_failed' };
    await expect(updateCategory(db, accountId, made.record.id, { name: 'Hounds' }, () => false)).rejects.toMatchObject(refused);
    await expect(deleteCategory(db, accountId, made.record.id, () => false)).rejects.toMatchObject(refused);
    expect(await getCategory(db, accountId, made.record.id)).toEqual(made);
  });

  test('of ten writers who saw the same version lets one through', async () => {
    const { record, version } = await createCategory(db, accountId, { name: 'Dogs' });
    const writes = Array.from({ length: 10 }, (_, i) =>
      updateCategory(db, accountId, record.id, { name: `Dogs ${i}` }, (seen) => seen === version),
    );
    const results = await Promise.allSettled(writes);
    const [winner, ...others] = results.filter((result) => result.status === 'fulfilled');
    expect(others).toEqual([]);
    expect(await getCategory(db, accountId, record.id)).toEqual(winner?.value);
  });
});

test('a category with pets stays; without them it goes, once', async () => {
  const { record } = await createCategory(db, accountId, { name: 'Dogs' });
  const pet = await createPet(db, accountId, { name: 'Rex', categoryId: record.id, status: 'available' });
  await expect(deleteCategory(db, accountId, record.id)).rejects.toMatchObject({ code: 'category_in_use' });
  await deletePet(db, accountId, pet.record.id);
  await deleteCategory(db, accountId, record.id);
  await expect(deleteCategory(db, accountId, record.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('an id that was never given, the largest of all included, is not found', async () => {
  await expect(getCategory(db, accountId, MISSING)).rejects.toMatchObject({ code: 'not_found' });
  await expect(updateCategory(db, accountId, MISSING, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteCategory(db, accountId, MISSING)).rejects.toMatchObject({ code: 'not_found' });
});
