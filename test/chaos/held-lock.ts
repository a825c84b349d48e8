/** Somebody locks the rows of one account and keeps them locked: others are served. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient, percentile } from '../support/tools/load-client.ts';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import { failedUntil, startLoad } from './support/open-load.ts';
import type { Scenario } from './support/scenario.ts';

const LOCKED_MS = 8000;
/** Orders of the account whose rows are locked, and reads of another one. */
const ORDERS_PER_SECOND = 10;
const READS_PER_SECOND = 40;

export const scenario: Scenario = {
  summary: 'a stranger keeps the rows of one account locked',
  timeoutMs: 60_000,
  async run(context) {
    const { measure, progress } = context;
    const database = await openDatabase(context);
    const [locked, other] = [await openShop(database), await openShop(database)];
    const { url } = await startServer(context, database.url);
    const clientOf = (key: string) => {
      const client = createLoadClient(url, { headers: { Authorization: `Bearer ${key}` } });
      context.defer(() => client.close());
      return client;
    };
    const [buyer, reader] = [clientOf(locked.key), clientOf(other.key)];
    const probe = createLoadClient(url);
    context.defer(() => probe.close());

    const holder = await database.db.transaction();
    context.defer(() => holder.rollback());
    await holder('pets').where({ account_id: locked.accountId }).forUpdate().select('id');
    progress('locked');
    const orders = startLoad(() => buyer.send('POST', '/store/orders', { petId: locked.petId, quantity: 1 }), ORDERS_PER_SECOND);
    const reads = startLoad(() => reader.send('GET', '/pets'), READS_PER_SECOND);
    const probes = startLoad(() => probe.send('GET', '/readyz'), 1);
    await sleep(LOCKED_MS);
    const releasedAt = performance.now();
    await holder.rollback();
    await sleep(3000);
    await Promise.all([orders.stop(), reads.stop(), probes.stop()]);

    const failed = (responses: readonly { status: number }[]) => responses.filter(({ status }) => status >= 300 || status === 0).length;
    measure({ measured: "the other account's requests", value: reads.responses.length, min: 1 });
    measure({ measured: 'of them failed', value: (100 * failed(reads.responses)) / reads.responses.length, unit: '%', max: 1 });
    measure({
      measured: 'of them p99',
      value: percentile(
        reads.responses.map(({ ms }) => ms),
        0.99,
      ),
      unit: 'ms',
      max: 2000,
    });
    measure({ measured: 'probes of readiness that failed', value: failed(probes.responses), max: 0 });
    measure({
      measured: "the account's own requests: slowest answer",
      value: Math.max(...orders.responses.map(({ ms }) => ms)),
      unit: 'ms',
      max: 5000,
    });
    const strange = orders.responses.filter(({ status }) => ![201, 503].includes(status));
    measure({ measured: "the account's own requests: other than 201 and 503", value: strange.length, max: 0 });
    measure({
      measured: 'failures until after the lock is released',
      value: failedUntil(orders.responses, releasedAt),
      unit: 'ms',
      max: 2000,
    });
  },
};
