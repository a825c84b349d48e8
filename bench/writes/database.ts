/** A PostgreSQL whose commits reach the disk, with accounts that write: one with many pets, and many with one. */
import { statfsSync } from 'node:fs';
import type { Database } from '@specwright/postgres';
import { createAccountWithPets, withDatabase, type Subject } from '../support/database.ts';
import { databaseCpu, parentOf } from './process-cpu.ts';

/** The type of file systems in memory (statfs(2)). */
const TMPFS = 0x01021994;

const ACCOUNTS = 200;
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

export interface WriteDatabase {
  readonly env: NodeJS.ProcessEnv;
  /** The pets of one account, and those of as many accounts. */
  readonly subjects: Readonly<Record<'one' | 'many', readonly Subject[]>>;
  /** CPU of all its processes so far, in ms. */
  readonly cpu: () => number;
  /** Makes open orders to delete, of the subjects in turn. */
  readonly makeOrders: (subjects: readonly Subject[], count: number) => Promise<number[]>;
}

export function withWriteDatabase<T>(use: (database: WriteDatabase) => Promise<T>): Promise<T> {
  return withDatabase(DURABLE, async ({ db, folder, env }) => {
    if (statfsSync(folder).type === TMPFS)
      console.warn(`${folder} is in memory, where a commit costs nothing: set TMPDIR to a folder on a disk`);
    const one = await createAccountWithPets(db, 0, ACCOUNTS);
    const many: Subject[] = [];
    for (let n = 1; n <= ACCOUNTS; n++) many.push(...(await createAccountWithPets(db, n, 1)));
    const { rows } = await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    return use({ env, subjects: { one, many }, cpu: () => databaseCpu(postmaster), makeOrders: makeOrders(db) });
  });
}

const makeOrders = (db: Database) => async (subjects: readonly Subject[], count: number) => {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `INSERT INTO orders (account_id, pet_id, quantity)
     SELECT (?::bigint[])[1 + n % ?], (?::bigint[])[1 + n % ?], 1 FROM generate_series(0, ? - 1) n ORDER BY n RETURNING id`,
    [subjects.map((s) => s.accountId), subjects.length, subjects.map((s) => s.petId), subjects.length, count],
  );
  return rows.map(({ id }) => id);
};
