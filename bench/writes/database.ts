/** A PostgreSQL whose commits reach the disk, with accounts that write: one with many pets, and many with one. */
import { statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '@specwright/accounts';
import { startEmbedded } from '@specwright/embedded-postgres';
import { migrate, openDatabase, type Database } from '@specwright/postgres';
import { schema } from '../../src/db/migrations/index.ts';
import { parentOf, processTreeCpu } from '../support/process-tree.ts';
import type { Subject } from './operations.ts';

/** The type of file systems in memory (statfs(2)). */
const TMPFS = 0x01021994;

export const ACCOUNTS = 200;
const UNREACHABLE_QUOTA = { minute: 1_000_000_000, day: 1_000_000_000 };
const STOCK = 1_000_000_000;

export interface WriteDatabase {
  readonly db: Database;
  readonly env: NodeJS.ProcessEnv;
  /** The pets of one account, and those of as many accounts. */
  readonly subjects: Readonly<Record<'one' | 'many', readonly Subject[]>>;
  /** CPU of all its processes so far, in ms. */
  readonly cpu: () => number;
  /** Makes open orders to delete, of the subjects in turn. */
  readonly makeOrders: (subjects: readonly Subject[], count: number) => Promise<number[]>;
}

export async function withWriteDatabase<T>(use: (database: WriteDatabase) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  if (statfsSync(folder).type === TMPFS)
    console.warn(`${folder} is in memory, where a commit costs nothing: set TMPDIR to a folder on a disk`);
  // As root the database runs as another user, who must be able to reach it.
  await chmod(folder, 0o755);
  const settings = { max_connections: '300', fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
  const embedded = await startEmbedded({ dataDir: folder, database: 'bench', settings });
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
    const one = await makeAccount(db, 0, ACCOUNTS);
    const many: Subject[] = [];
    for (let n = 1; n <= ACCOUNTS; n++) many.push(...(await makeAccount(db, n, 1)));
    const { rows } = await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    const env = { DATABASE_URL: url, DATA_DIR: folder, WORKER: 'off' };
    return await use({ db, env, subjects: { one, many }, cpu: () => processTreeCpu(postmaster), makeOrders: makeOrders(db) });
  } finally {
    await database.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const makeOrders = (db: Database) => async (subjects: readonly Subject[], count: number) => {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `INSERT INTO orders (account_id, pet_id, quantity)
     SELECT (?::bigint[])[1 + n % ?], (?::bigint[])[1 + n % ?], 1 FROM generate_series(0, ? - 1) n ORDER BY n RETURNING id`,
    [subjects.map((s) => s.accountId), subjects.length, subjects.map((s) => s.petId), subjects.length, count],
  );
  return rows.map(({ id }) => id);
};

async function makeAccount(db: Database, n: number, pets: number): Promise<Subject[]> {
  const account = await createAccount(db, { email: `bench${n}@example.com`, plan: 'enterprise', quota: UNREACHABLE_QUOTA }, new Date());
  const accountId = account.record.id;
  const { rows } = await db.raw<{ rows: { petId: number; categoryId: number }[] }>(
    `WITH category AS (INSERT INTO categories (account_id, name) VALUES (?, 'Dogs') RETURNING account_id, id),
          pet AS (INSERT INTO pets (account_id, category_id, name, status)
                  SELECT account_id, id, 'Rex', 'available' FROM category, generate_series(1, ?) RETURNING account_id, category_id, id)
     INSERT INTO inventory (account_id, pet_id, quantity) SELECT account_id, id, ? FROM pet
     RETURNING pet_id AS "petId", (SELECT id FROM category) AS "categoryId"`,
    [accountId, pets, STOCK],
  );
  return rows.map((row) => ({ accountId, apiKey: account.apiKey, ...row }));
}
