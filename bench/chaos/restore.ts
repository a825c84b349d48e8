/** A restore is killed with SIGKILL, then tried again: the database has no rows or all of them, and in the end all. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from 'specwright/testing';
import { startProcess } from '../../test/support/service/process.ts';
import { openDatabase, openShop } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ROUNDS = 40;
const ORDERS = 100_000;
/** Before this share of its time a restore has written nothing. */
const STARTING = 0.3;
/** Tables of what was restored, whose rows are counted. */
const TABLES = ['accounts', 'api_keys', 'pets', 'orders', 'inventory', 'stock_events'] as const;

const start = (url: string, args: readonly string[]) =>
  startProcess({ program: 'packages/specwright/src/main.ts', args: ['db', ...args], env: { DATABASE_URL: url } });

async function countRows({ db }: TestDatabase): Promise<number> {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await db.raw<{ rows: { exists: boolean }[] }>('SELECT to_regclass(?) IS NOT NULL AS exists', [table]);
      if (rows[0]?.exists !== true) return 0;
      const [row] = await db(table).count<{ count: string }[]>('* as count');
      return Number(row?.count);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

export const scenario: Scenario = {
  summary: 'SIGKILL of a restore, then another one, 40 times',
  timeoutMs: 600_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const source = await openDatabase(context);
    const { accountId, petId } = await openShop(source);
    const orders = 'INSERT INTO orders (account_id, pet_id, quantity) SELECT ?, ?, 1 FROM generate_series(1, ?)';
    await source.db.raw(orders, [accountId, petId, ORDERS]);
    const folder = await mkdtemp(join(tmpdir(), 'restore-'));
    context.defer(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'petstore.dump');
    await start(source.url, ['dump', file]).exited;
    const all = await countRows(source);

    const partial: number[] = [];
    const failed: string[] = [];
    let whole = 0;
    let restoreMs = 3000;
    for (let round = 1; round <= rounds && !signal.aborted; round++) {
      progress(`round ${round} of ${rounds}`);
      const target = await createDatabase({ schema: 'empty' });
      try {
        const killed = start(target.url, ['restore', file]);
        await Promise.race([sleep(restoreMs * (STARTING + (1 - STARTING) * Math.random())), killed.exited]);
        killed.child.kill('SIGKILL');
        await killed.exited;
        const left = await countRows(target);
        if (left === all) whole += 1;
        else if (left > 0) partial.push(left);
        const startedAt = performance.now();
        const { exited, output } = start(target.url, ['restore', file]);
        const { code } = await exited;
        if (left === 0) restoreMs = performance.now() - startedAt;
        const isRefused = left === all && /is not empty/.test(output.stderr);
        if ((code !== 0 && !isRefused) || (await countRows(target)) !== all) failed.push(output.stderr);
      } finally {
        await target.drop();
      }
    }
    for (const text of failed.slice(0, 3)) console.error(text);
    measure({ measured: 'rows of the dump', value: all, min: ORDERS });
    measure({ measured: 'kills after which some of the rows are there', value: partial.length, max: 0 });
    measure({ measured: 'kills after the end of the restore', value: whole });
    measure({ measured: 'restores after it that failed', value: failed.length, max: 0 });
    measure({ measured: 'a restore takes', value: restoreMs, unit: 'ms' });
  },
};
