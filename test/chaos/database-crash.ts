/** PostgreSQL is killed with SIGKILL under writes and started again: no acknowledged write is lost, and service resumes by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from 'specwright/testing';
import { createLoadClient } from '../support/tools/load-client.ts';
import { readStock } from '../../test/support/service/shop.ts';
import { answers, openDatabase, openShop, postmaster, startServer } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ROUNDS = 5;
const CLIENTS = 20;
const STOCK = 100_000_000;
const WRITE_MS = 1500;

export const scenario: Scenario = {
  summary: 'SIGKILL of the database under writes',
  timeoutMs: 180_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const database = await openDatabase(context);
    const { accountId, key, petId } = await openShop(database, STOCK);
    const [before] = await readStock(database.db, accountId);
    const { url } = await startServer(context, database.url, { WORKER: 'off' });
    const client = createLoadClient(url, { headers: { Authorization: `Bearer ${key}` } });
    const acknowledged: { id: number; at: number }[] = [];
    const other = new Map<number, number>();
    let slowest = 0;
    let unanswered = 0;
    let isOver = false;
    const order = async () => {
      while (!isOver) {
        const { status, body, ms } = await client.send('POST', '/store/orders', { petId, quantity: 1 });
        slowest = Math.max(slowest, ms);
        if (status === 201) acknowledged.push({ id: (JSON.parse(body) as { id: number }).id, at: performance.now() });
        else {
          other.set(status, (other.get(status) ?? 0) + 1);
          if (status !== 503) unanswered++;
          await sleep(50);
        }
      }
    };
    const orders = Promise.all(Array.from({ length: CLIENTS }, order));
    let resumeMs = 0;
    let outageMs = 0;
    for (let round = 1; round <= rounds && !signal.aborted; round++) {
      progress(`round ${round} of ${rounds}, ${acknowledged.length} orders acknowledged`);
      await sleep(WRITE_MS);
      process.kill(await postmaster(database.url), 'SIGKILL');
      const killedAt = performance.now();
      // The fixture that owns it starts it again.
      await until(() => answers(database.url), 30_000);
      const answersAt = performance.now();
      await until(() => (acknowledged.at(-1)?.at ?? 0) > answersAt, 30_000);
      resumeMs = Math.max(resumeMs, performance.now() - answersAt);
      outageMs = Math.max(outageMs, performance.now() - killedAt);
    }
    isOver = true;
    await orders;
    client.close();
    const stored = new Set(await database.db('orders').where({ account_id: accountId }).pluck<number[]>('id'));
    const [after] = await readStock(database.db, accountId);
    measure({ measured: 'orders acknowledged', value: acknowledged.length, min: rounds });
    measure({ measured: 'acknowledged orders that are lost', value: acknowledged.filter(({ id }) => !stored.has(id)).length, max: 0 });
    measure({ measured: 'units of stock missing', value: Math.abs((before?.total ?? NaN) - (after?.total ?? NaN)), max: 0 });
    measure({ measured: 'answers other than 201 and 503', value: unanswered, max: 0 });
    measure({ measured: 'slowest answer', value: slowest, unit: 'ms', max: 5000 });
    measure({ measured: 'service after the database answers', value: resumeMs, unit: 'ms', max: 2000 });
    measure({ measured: 'service after the kill', value: outageMs, unit: 'ms' });
  },
};
