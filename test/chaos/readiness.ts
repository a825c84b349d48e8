/** Readiness while the pool is blocked, the network silent and the database read-only: bounded in time and in statements. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient } from '../support/tools/load-client.ts';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const PROBES = 50;
const PROBE_MS = 5000;

export const scenario: Scenario = {
  summary: 'fifty probes; a pool that waits for a lock; a database that takes no writes',
  timeoutMs: 120_000,
  async run(context) {
    const { measure, progress } = context;
    const database = await openDatabase(context, { log_statement: 'none' });
    const { accountId, key, petId } = await openShop(database);
    const { url, process } = await startServer(context, database.url, { WORKER: 'off' });
    const client = createLoadClient(url, { headers: { Authorization: `Bearer ${key}` } });
    context.defer(() => client.close());
    const ready = () => client.send('GET', '/readyz');

    progress('fifty probes a second');
    const transactions = async () => {
      // Statistics are written once a second at most.
      await sleep(1500);
      const { rows } = await database.db.raw<{ rows: { n: number }[] }>(
        'SELECT (xact_commit + xact_rollback)::float8 AS n FROM pg_stat_database WHERE datname = current_database()',
      );
      return rows[0]?.n ?? NaN;
    };
    const idleFrom = await transactions();
    await sleep(PROBE_MS);
    const from = await transactions();
    for (const end = performance.now() + PROBE_MS; performance.now() < end; await sleep(200))
      await Promise.all(Array.from({ length: PROBES / 5 }, ready));
    const to = await transactions();
    const perSecond = (to - from - (from - idleFrom)) / (PROBE_MS / 1000);
    measure({ measured: 'transactions a second for fifty probes', value: Math.max(0, perSecond), max: 2 });

    progress('the pool waits for a lock');
    const lock = await database.db.transaction();
    await lock('pets').where({ account_id: accountId }).forUpdate().select('id');
    const orders = Array.from({ length: 12 }, () => client.send('POST', '/store/orders', { petId, quantity: 1 }));
    await sleep(1200);
    const blocked = await ready();
    measure({ measured: 'ready while the pool waits for a lock', value: Number(blocked.status === 200), min: 1 });
    measure({ measured: 'probe while the pool waits for a lock', value: blocked.ms, unit: 'ms', max: 1000 });
    await lock.rollback();
    await Promise.all(orders);

    progress('the database takes no writes');
    await database.db.raw(`ALTER DATABASE ?? SET default_transaction_read_only = on`, [new URL(database.url).pathname.slice(1)]);
    await sleep(1100);
    const readOnly = await ready();
    measure({ measured: 'status on a read-only database', value: readOnly.status, min: 503, max: 503 });
    measure({ measured: 'reasons in the public answer', value: Number(/read-only|transaction/.test(readOnly.body)), max: 0 });
    measure({ measured: 'reasons in the log', value: Number(/"reason":"the database is read-only/.test(process.output.stdout)), min: 1 });
    await database.db.raw(`ALTER DATABASE ?? RESET default_transaction_read_only`, [new URL(database.url).pathname.slice(1)]);
    const back = performance.now();
    while ((await ready()).status !== 200 && performance.now() - back < 10_000) await sleep(100);
    measure({ measured: 'ready again after', value: performance.now() - back, unit: 'ms', max: 3000 });
  },
};
