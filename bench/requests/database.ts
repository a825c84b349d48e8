/** A PostgreSQL with one pet in it, for the servers that read it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '@specwright/accounts';
import { migrate, openDatabase, type Database } from '@specwright/postgres';
import { startEmbedded } from '@specwright/embedded-postgres';
import { createCategory } from '../../src/db/categories.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { createPet } from '../../src/db/pets.ts';
import type { Target } from './operations.ts';

const UNREACHABLE_QUOTA = { minute: 1_000_000_000, day: 1_000_000_000 };

interface BenchDatabase {
  readonly db: Database;
  readonly env: NodeJS.ProcessEnv;
  readonly target: Target;
  readonly accountId: number;
}

/** @param use gets the environment of the servers, and whose pet to read. */
export async function withDatabase<T>(use: (database: BenchDatabase) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  // As root the database runs as another user, who must be able to reach it.
  await chmod(folder, 0o755);
  // All servers keep their pools open while they take turns: together more than PostgreSQL's usual 100 connections.
  const embedded = await startEmbedded({ dataDir: folder, database: 'bench', settings: { max_connections: '300' } });
  const database = await openDatabase({ name: 'bench', databaseUrl: embedded.url, databasePool: 2, dataDir: folder });
  const { db, url } = database;
  try {
    await migrate(db, schema);
    const account = await createAccount(db, { email: 'bench@example.com', plan: 'enterprise', quota: UNREACHABLE_QUOTA }, new Date());
    const accountId = account.record.id;
    const category = await createCategory(db, accountId, { name: 'Dogs' });
    const pet = await createPet(db, accountId, { name: 'Rex', categoryId: category.record.id, status: 'available' });
    const env = { DATABASE_URL: url, ACCOUNT_ID: String(accountId), DATA_DIR: folder, WORKER: 'off' };
    return await use({ db, accountId, env, target: { petId: pet.record.id, categoryId: category.record.id, apiKey: account.apiKey } });
  } finally {
    await database.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
