/** Categories in the database: updates, preconditions and deletion. */
import { describe, expect, test } from '@jest/globals';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from '../../src/db/categories.ts';
import { withDatabase, withFixture } from 'specwright/testing';
import { createPet, deletePet } from '../../src/db/pets.ts';
import { newAccount } from '../support/service/app.ts';

const MISSING = 9007199254740991;

const database = withDatabase();
const account = withFixture(() => newAccount(database.db));

test('reads a category as it was created, with or without a description', async () => {
  for (const values of [{ name: 'Dogs' }, { name: 'Cats', description: '' }, { name: 'Fish', description: 'Wet.' }]) {
    const made = await createCategory(database.db, account.accountId, values);
    expect(made.record).toEqual({ id: expect.any(Number), ...values });
    expect(await getCategory(database.db, account.accountId, made.record.id)).toEqual(made);
    expect(await listCategories(database.db, account.accountId, { after: made.record.id - 1, limit: 1 })).toEqual([made.record]);
  }
});

test('an update keeps the properties that it does not name; null removes the description', async () => {
  const { record } = await createCategory(database.db, account.accountId, { name: 'Dogs', description: 'Loud.' });
  const { id } = record;
  expect((await updateCategory(database.db, account.accountId, id, {})).record).toEqual({ id, name: 'Dogs', description: 'Loud.' });
  expect((await updateCategory(database.db, account.accountId, id, { name: 'Hounds' })).record).toEqual({
    id,
    name: 'Hounds',
    description: 'Loud.',
  });
  expect((await updateCategory(database.db, account.accountId, id, { description: null })).record).toEqual({ id, name: 'Hounds' });
});

describe('a precondition', () => {
  test('that holds admits the update, which changes the version', async () => {
    const { record, version } = await createCategory(database.db, account.accountId, { name: 'Dogs' });
    const changed = await updateCategory(database.db, account.accountId, record.id, { name: 'Hounds' }, (seen) => seen === version);
    expect(changed.version).not.toBe(version);
    await deleteCategory(database.db, account.accountId, record.id, (seen) => seen === changed.version);
  });

  test('that fails changes nothing', async () => {
    const made = await createCategory(database.db, account.accountId, { name: 'Dogs' });
    const refused = { code: 'precondition_failed' };
    await expect(updateCategory(database.db, account.accountId, made.record.id, { name: 'Hounds' }, () => false)).rejects.toMatchObject(
      refused,
    );
    await expect(deleteCategory(database.db, account.accountId, made.record.id, () => false)).rejects.toMatchObject(refused);
    expect(await getCategory(database.db, account.accountId, made.record.id)).toEqual(made);
  });

  test('on one version admits one of ten concurrent writers', async () => {
    const { record, version } = await createCategory(database.db, account.accountId, { name: 'Dogs' });
    const writes = Array.from({ length: 10 }, (_, i) =>
      updateCategory(database.db, account.accountId, record.id, { name: `Dogs ${i}` }, (seen) => seen === version),
    );
    const results = await Promise.allSettled(writes);
    const [winner, ...others] = results.filter((result) => result.status === 'fulfilled');
    expect(others).toEqual([]);
    expect(await getCategory(database.db, account.accountId, record.id)).toEqual(winner?.value);
  });
});

test('a category with pets cannot be deleted; one without can, once', async () => {
  const { record } = await createCategory(database.db, account.accountId, { name: 'Dogs' });
  const pet = await createPet(database.db, account.accountId, { name: 'Rex', categoryId: record.id, status: 'available' });
  await expect(deleteCategory(database.db, account.accountId, record.id)).rejects.toMatchObject({ code: 'category_in_use' });
  await deletePet(database.db, account.accountId, pet.record.id);
  await deleteCategory(database.db, account.accountId, record.id);
  await expect(deleteCategory(database.db, account.accountId, record.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('an id that was never assigned is not found', async () => {
  await expect(getCategory(database.db, account.accountId, MISSING)).rejects.toMatchObject({ code: 'not_found' });
  await expect(updateCategory(database.db, account.accountId, MISSING, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteCategory(database.db, account.accountId, MISSING)).rejects.toMatchObject({ code: 'not_found' });
});
