import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import request from 'supertest';
import { createAfter } from './after.ts';
import { createBefore } from './before.ts';
import { openDatabase } from './database.ts';

process.env['DATA_DIR'] = mkdtempSync(join(tmpdir(), 'books-'));
const { db, close } = await openDatabase();
after(close);

const SERVERS: Record<string, () => RequestListener | Promise<RequestListener>> = {
  before: () => createBefore(db),
  after: () => createAfter(db),
};
const NEW_BOOK = { isbn: '9780141439587', author: 'Austen', title: 'Emma' };

for (const [name, create] of Object.entries(SERVERS))
  describe(name, () => {
    let handler: RequestListener;
    before(async () => void (handler = await create()));
    beforeEach(() => db('books').truncate());
    const api = () => request(createServer(handler));

    test('creates a book, reads it and lists it', async () => {
      const created = await api().post('/books').send(NEW_BOOK).expect(201);
      const book: unknown = created.body;
      assert.deepEqual(book, { ...NEW_BOOK, id: (book as { id: number }).id });
      const location = created.get('Location') ?? '';
      await api()
        .get(location)
        .expect(200, book as object);
      await api().get('/books').query({ author: 'Austen', limit: 1 }).expect(200, [book]);
      await api().get('/books').query({ author: 'Brontë' }).expect(200, []);
    });

    test('refuses a second book with one ISBN, and one that is not there', async () => {
      await api().post('/books').send(NEW_BOOK).expect(201);
      await api().post('/books').send(NEW_BOOK).expect(409, { message: 'there is a book with this ISBN' });
      await api().get('/books/999').expect(404, { message: 'there is no book 999' });
    });

    test('refuses what the contract does not allow', async () => {
      const { body } = await api()
        .post('/books')
        .send({ ...NEW_BOOK, pages: 3 })
        .expect(400);
      assert.equal(typeof (body as { message: unknown }).message, 'string');
      await api().get('/books').query({ limit: 0 }).expect(400);
      await api().get('/books/x').expect(400);
    });

    test('does not send a row that breaks the contract', async () => {
      await db('books').insert({ isbn: '9780141439587', author: 'Austen' });
      await api().get('/books').expect(500);
    });
  });
