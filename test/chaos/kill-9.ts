/** The server is killed with SIGKILL under writes: every acknowledged one is stored, none twice, and the stock balances. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from 'specwright/testing';
import { createLoadClient } from '../support/tools/load-client.ts';
import { readStock } from '../../test/support/service/shop.ts';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ROUNDS = 60;
const CLIENTS = 20;
const STOCK = 100_000_000;
/** How long a round goes on writing at most after its first orders were acknowledged, in ms. */
const WRITE_MS = 300;

export const scenario: Scenario = {
  summary: 'SIGKILL of the server under writes, 60 times',
  timeoutMs: 600_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const database = await openDatabase(context);
    const { accountId, key, petId } = await openShop(database, STOCK);
    const [stock] = await readStock(database.db, accountId);
    const acknowledged: number[] = [];
    let unanswered = 0;
    let serverErrors = 0;
    let restartMs = 0;
    for (let round = 1; round <= rounds && !signal.aborted; round++) {
      progress(`round ${round} of ${rounds}, ${acknowledged.length} orders acknowledged`);
      const startedAt = performance.now();
      const { url, process } = await startServer(context, database.url, { WORKER: 'off' });
      restartMs = Math.max(restartMs, performance.now() - startedAt);
      const client = createLoadClient(url, { headers: { Authorization: `Bearer ${key}` } });
      let isGone = false;
      const order = async () => {
        while (!isGone) {
          const { status, body } = await client.send('POST', '/store/orders', { petId, quantity: 1 });
          if (status === 201) acknowledged.push((JSON.parse(body) as { id: number }).id);
          else if (status === 0) {
            unanswered++;
            return;
          } else serverErrors++;
        }
      };
      const orders = Promise.all(Array.from({ length: CLIENTS }, order));
      const before = acknowledged.length;
      await until(() => acknowledged.length > before, 10_000);
      await sleep(WRITE_MS * Math.random());
      process.child.kill('SIGKILL');
      await process.exited;
      isGone = true;
      await orders;
      client.close();
    }
    const stored = await database.db('orders').where({ account_id: accountId }).pluck<number[]>('id');
    const [after] = await readStock(database.db, accountId);
    const kept = new Set(stored);
    measure({ measured: 'orders acknowledged', value: acknowledged.length, min: rounds });
    measure({ measured: 'acknowledged orders that are lost', value: acknowledged.filter((id) => !kept.has(id)).length, max: 0 });
    measure({ measured: 'orders acknowledged twice', value: acknowledged.length - new Set(acknowledged).size, max: 0 });
    measure({
      measured: 'orders stored beyond those without an answer',
      value: Math.max(0, stored.length - acknowledged.length - unanswered),
      max: 0,
    });
    measure({ measured: 'units of stock missing', value: Math.abs((stock?.total ?? NaN) - (after?.total ?? NaN)), max: 0 });
    measure({ measured: 'answers other than 201', value: serverErrors, max: 0 });
    measure({ measured: 'slowest start', value: restartMs, unit: 'ms' });
  },
};
