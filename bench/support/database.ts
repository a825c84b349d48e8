/** A PostgreSQL of the bench, with the schema of the pet store, and what its accounts have. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '@specwright/accounts';
import { startEmbedded } from '@specwright/embedded-postgres';
import { migrate, openDatabase, type Database } from '@specwright/postgres';
import { schema } from '../../src/db/migrations/index.ts';

const UNREACHABLE_QUOTA = { minute: 1_000_000_000, day: 1_000_000_000 };
const STOCK = 1_000_000_000;

export interface BenchDatabase {
  readonly db: Database;
  readonly folder: string;
  /** Of the servers that use it. */
  readonly env: NodeJS.ProcessEnv;
}

/** A pet, with whose it is. */
export interface Subject {
  readonly accountId: number;
  readonly apiKey: string;
  readonly petId: number;
  readonly categoryId: number;
}

/** @param settings of PostgreSQL, beside those of an embedded one. */
export async function withDatabase<T>(
  settings: Readonly<Record<string, string>>,
  use: (database: BenchDatabase) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  // As root the database runs as another user, who must be able to reach it.
  await chmod(folder, 0o755);
  // All servers keep their pools open while they take turns: together more than PostgreSQL's usual 100 connections.
  const embedded = await startEmbedded({ dataDir: folder, database: 'bench', settings: { max_connections: '300', ...settings } });
  const database = await openDatabase({
    name: 'bench',
    databaseUrl: embedded.url,
    databasePool: 2,
    dataDir: folder,
    statementTimeout: 60_000,
  });
  const { db, url } = database;
  try {
    await migrate(db, schema);
    return await use({ db, folder, env: { DATABASE_URL: url, DATA_DIR: folder, WORKER: 'off' } });
  } finally {
    await database.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param n of the account, each once. @returns its pets, all in stock. */
export async function createAccountWithPets(db: Database, n: number, pets: number): Promise<Subject[]> {
  const account = await createAccount(db, { email: `bench${n}@example.com`, plan: 'enterprise', quota: UNREACHABLE_QUOTA }, new Date());
  const accountId = account.record.id;
  const { rows } = await db.raw<{ rows: { petId: number; categoryId: number }[] }>(
    `WITH category AS (INSERT INTO categories (account_id, name) VALUES (?, 'Dogs') RETURNING account_id, id)
     INSERT INTO pets (account_id, category_id, name, status, quantity)
     SELECT account_id, id, 'Rex', 'available', ? FROM category, generate_series(1, ?)
     RETURNING id AS "petId", category_id AS "categoryId"`,
    [accountId, STOCK, pets],
  );
  return rows.map((row) => ({ accountId, apiKey: account.apiKey, ...row }));
}
