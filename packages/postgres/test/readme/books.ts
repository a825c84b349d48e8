import { resolve } from 'node:path';
import { createStoreAccess, migrate, openDatabase, schemaProblem, type Database } from '@specwright/postgres';
import type { Knex } from 'knex';

const schema = {
  migrations: [
    {
      name: '0001_books',
      migration: {
        up: async (knex: Knex) => {
          await knex.raw('CREATE TABLE books (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, isbn text CONSTRAINT books_isbn UNIQUE)');
        },
      },
    },
  ],
};

const { transaction } = createStoreAccess({ onWrite: { books_isbn: ['isbn_taken', 'there is a book with this ISBN'] } });

const addBook = (db: Database, isbn: string) =>
  transaction(db, async (trx) => (await trx('books').insert({ isbn }).returning<{ id: number }[]>('id'))[0]?.id);

// The database at DATABASE_URL, or an embedded one in DATA_DIR.
const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '.data' } = process.env;
const { db, embedded, close } = await openDatabase({ name: 'library', databaseUrl, databasePool: 10, dataDir: resolve(dataDir) });
try {
  if (embedded) await migrate(db, schema);
  console.log(await schemaProblem(db, schema)); // undefined
  console.log(await addBook(db, '978-0141439587')); // 1
  await addBook(db, '978-0141439587').catch((error: unknown) => console.log(String(error))); // AppError: there is a book with this ISBN
} finally {
  await close();
}
