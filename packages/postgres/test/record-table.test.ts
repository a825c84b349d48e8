/** The records of a table: what another account has does not exist, changes need the version they name, and a filter is part of the page. */
import { expect, test } from '@jest/globals';
import { createRecordTables, createStoreAccess } from '@specwright/postgres';
import { createDatabase, withFixture } from 'specwright/testing';

const database = withFixture(
  async () => {
    const created = await createDatabase({ schema: 'empty' });
    await created.db.raw(`
      CREATE TABLE notes (
        owner integer NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, note_text text NOT NULL, colour text, version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (owner, id)
      );
      CREATE TABLE days (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, day date NOT NULL, version integer NOT NULL DEFAULT 1);
      CREATE TABLE replies (owner integer NOT NULL, note integer NOT NULL, CONSTRAINT replies_note FOREIGN KEY (owner, note) REFERENCES notes)`);
    return created;
  },
  (created) => created.drop(),
);

interface Row {
  owner: number;
  id: number;
  note_text: string;
  colour: string | null;
  version: number;
}
interface Tables {
  notes: { base: Row; insert: Pick<Row, 'owner' | 'note_text'> & Partial<Row>; update: Partial<Row> };
}

const access = createStoreAccess({ onDelete: { replies_note: ['conflict', 'the note has replies'] } });
const recordTable = createRecordTables<Tables, 'owner'>(access, 'owner');
const COLUMNS = { id: 'id', text: 'note_text', colour: 'colour', version: 'version' } as const;
const notes = recordTable('notes', COLUMNS, (id) => new Error(`there is no note ${id}`));

let nextOwner = 1;
/** An account of its own for each test. */
async function create(...texts: string[]) {
  const owner = nextOwner++;
  const created = [];
  for (const text of texts) created.push(await notes.create(database.db, owner, { note_text: text }));
  return { owner, ids: created.map(({ record }) => record.id), created };
}
/** A precondition, as that of a header If-Match. */
const ifMatch = (allowed: string) => (version: string | undefined) => version === allowed;
const page = (after: number, limit: number) => ({ after, limit });

test('a record has its properties and its version; a column that is NULL is no property', async () => {
  const { owner, ids, created } = await create('one');
  expect(created).toEqual([{ version: '1', record: { id: ids[0], text: 'one' } }]);
  expect(await notes.get(database.db, owner, ids[0] ?? 0)).toEqual(created[0]);
});

test('a table says what its constraints mean, for statements of other tables of the schema too', async () => {
  const own = createStoreAccess();
  const tables = createRecordTables<Tables, 'owner'>(own, 'owner');
  const all = tables('notes', COLUMNS, () => new Error('none'));
  const { owner, ids } = await create('with a reply');
  await database.db.raw('INSERT INTO replies VALUES (?, ?)', [owner, ids[0] ?? 0]);
  await expect(all.delete(database.db, owner, ids[0] ?? 0)).rejects.toMatchObject({ code: '23503' });
  tables('notes', COLUMNS, () => new Error('none'), { onDelete: { replies_note: ['conflict', 'the note has replies'] } });
  await expect(all.delete(database.db, owner, ids[0] ?? 0)).rejects.toMatchObject({ code: 'conflict', message: 'the note has replies' });
});

test('a filter of null is that of records without a value, alone and in a list', async () => {
  const { owner, ids } = await create('a', 'b', 'c');
  await notes.update(database.db, owner, ids[1] ?? 0, { colour: 'red' });
  await notes.update(database.db, owner, ids[2] ?? 0, { colour: 'blue' });
  const listed = async (where: Parameters<typeof notes.list>[3]) =>
    (await notes.list(database.db, owner, page(0, 9), where)).map(({ id }) => ids.indexOf(id));
  expect(await listed({ colour: null })).toEqual([0]);
  expect(await listed({ colour: null, note_text: 'b' })).toEqual([]);
  expect(await listed({ colour: [null] })).toEqual([0]);
  expect(await listed({ colour: [null, 'red'] })).toEqual([0, 1]);
  expect(await listed({ colour: ['red', 'blue'] })).toEqual([1, 2]);
});

test('a change of no column raises no version, and needs the version that it names', async () => {
  const { owner, ids, created } = await create('one');
  const id = ids[0] ?? 0;
  for (const changes of [{}, { colour: undefined } as never]) {
    expect(await notes.update(database.db, owner, id, changes)).toEqual(created[0]);
    expect(await notes.update(database.db, owner, id, changes, ifMatch('1'))).toEqual(created[0]);
  }
  await expect(notes.update(database.db, owner, id, {}, ifMatch('2'))).rejects.toMatchObject({
    code: 'precondition_failed',
  });
  await expect(notes.update(database.db, owner, id + 1, {})).rejects.toThrow('there is no note');
});

test('a list is in the order of ids, from where the page starts, of what the filter admits', async () => {
  const { owner, ids } = await create('a', 'b', 'c', 'b');
  const listed = async (...args: Parameters<typeof notes.list> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    (await notes.list(database.db, owner, ...args)).map(({ id }) => ids.indexOf(id));
  expect(await listed(page(0, 3))).toEqual([0, 1, 2]);
  expect(await listed(page(ids[1] ?? 0, 3))).toEqual([2, 3]);
  expect(await listed(page(0, 9), { note_text: 'b' })).toEqual([1, 3]);
  expect(await listed(page(0, 9), { note_text: ['b', 'nothing'] })).toEqual([1, 3]);
  expect(await listed(page(0, 9), { note_text: [] })).toEqual([]);
  expect(await listed(page(0, 9), { note_text: undefined, id: [ids[0] ?? 0, ids[1] ?? 0] })).toEqual([0, 1]);
});

test('the records of another account do not exist', async () => {
  const { ids } = await create('mine');
  const { owner } = await create('theirs');
  const id = ids[0] ?? 0;
  const missing = `there is no note ${id}`;
  await expect(notes.get(database.db, owner, id)).rejects.toThrow(missing);
  await expect(notes.update(database.db, owner, id, { colour: 'red' })).rejects.toThrow(missing);
  await expect(notes.delete(database.db, owner, id)).rejects.toThrow(missing);
  expect(await notes.list(database.db, owner, page(0, 9))).toMatchObject([{ text: 'theirs' }]);
});

test('a change raises the version, and one that names another version does nothing', async () => {
  const { owner, ids } = await create('one');
  const id = ids[0] ?? 0;
  expect(await notes.update(database.db, owner, id, { colour: 'red' }, ifMatch('1'))).toEqual({
    version: '2',
    record: { id, text: 'one', colour: 'red' },
  });
  const stale = ifMatch('1');
  await expect(notes.update(database.db, owner, id, { colour: 'blue' }, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(notes.delete(database.db, owner, id, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await notes.get(database.db, owner, id)).toMatchObject({ version: '2', record: { colour: 'red' } });
});

test('a record that others refer to stays, with the error of the constraint; any other is gone', async () => {
  const { owner, ids } = await create('with a reply', 'without');
  const [referred = 0, other = 0] = ids;
  await database.db('replies').insert({ owner, note: referred });
  await expect(notes.delete(database.db, owner, referred)).rejects.toMatchObject({ code: 'conflict' });
  await notes.delete(database.db, owner, other);
  expect(await notes.list(database.db, owner, page(0, 9))).toMatchObject([{ id: referred }]);
});

test('a row is locked only if it has the version that is asked for', async () => {
  const { owner, ids } = await create('one');
  const id = ids[0] ?? 0;
  const lock = (version: string) => access.transaction(database.db, (trx) => notes.lock(trx, owner, id, ifMatch(version)));
  expect(await lock('1')).toMatchObject({ text: 'one', version: 1 });
  await expect(lock('2')).rejects.toMatchObject({ code: 'precondition_failed' });
});

test('a locked row is not changed by another transaction before the first one ends', async () => {
  const { owner, ids } = await create('one');
  const id = ids[0] ?? 0;
  let changed: Promise<unknown> | undefined;
  await access.transaction(database.db, async (trx) => {
    expect(await notes.lock(trx, owner, id)).toMatchObject({ text: 'one', version: 1 });
    changed = notes.update(database.db, owner, id, { note_text: 'two' });
    await trx('notes').where({ owner, id }).update({ colour: 'red' });
  });
  await changed;
  expect(await notes.get(database.db, owner, id)).toMatchObject({ record: { text: 'two', colour: 'red' } });
});

test('in a schema without owners a record has its id alone; a date is read as it was written, a text with U+0000 is refused', async () => {
  interface Day {
    id: number;
    day: string;
    version: number;
  }
  interface Unowned {
    days: { base: Day; insert: Pick<Day, 'day'>; update: Partial<Day> };
  }
  const days = createRecordTables<Unowned>(access)('days', { id: 'id', day: 'day', version: 'version' }, (id) => new Error(`no day ${id}`));
  const { db } = database;
  const { record } = await days.create(db, { day: '0001-01-01' });
  expect(await days.get(db, record.id)).toEqual({ version: '1', record: { id: record.id, day: '0001-01-01' } });
  const stale = ifMatch('2');
  await expect(days.update(db, record.id, { day: '9999-12-31' }, stale)).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(await days.update(db, record.id, { day: '9999-12-31' })).toMatchObject({ version: '2', record: { day: '9999-12-31' } });
  expect(await access.transaction(db, (trx) => days.lock(trx, record.id))).toMatchObject({ version: 2 });
  expect(await days.list(db, page(0, 9), { day: '0001-01-01' })).toEqual([]);
  expect(await days.list(db, page(0, 9))).toHaveLength(1);
  await days.delete(db, record.id);
  await expect(days.get(db, record.id)).rejects.toThrow(`no day ${record.id}`);
  await expect(days.create(db, { day: '0000-01-01' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(notes.create(db, 1, { note_text: 'a\u0000b' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('no value moves a row into another account, or makes one there', async () => {
  const { owner, ids } = await create('one');
  const other = nextOwner++;
  const evil = { owner: other, note_text: 'two' } as never;
  await notes.update(database.db, owner, ids[0] ?? 0, evil);
  await notes.update(database.db, owner, ids[0] ?? 0, { owner: other });
  await notes.create(database.db, owner, evil);
  const page = { after: 0, limit: 9 };
  expect(await notes.list(database.db, other, page)).toEqual([]);
  expect(await notes.list(database.db, owner, page)).toMatchObject([{ text: 'two' }, { text: 'two' }]);
});
