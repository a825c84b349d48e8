/** PostgreSQL from npm, and a table, which allows a book without a title as the contract does not. Both servers use it through the same Knex. */
import { resolve } from 'node:path';
import { startEmbedded } from '@specwright/embedded-postgres';
import knex, { type Knex } from 'knex';

export async function openDatabase(): Promise<{ db: Knex; close: () => Promise<void> }> {
  const { url, stop } = await startEmbedded({ dataDir: resolve(process.env['DATA_DIR'] ?? '.data'), database: 'books' });
  const db = knex({ client: 'pg', connection: url });
  await db.raw(`CREATE TABLE IF NOT EXISTS books
    (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, isbn text NOT NULL UNIQUE, author text NOT NULL, title text)`);
  return { db, close: async () => (await db.destroy(), stop()) };
}
