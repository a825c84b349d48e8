/** One account sends from 400 clients at once: another one's reads are served nearly as fast as on a quiet server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient, percentile } from '../support/tools/load-client.ts';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import { openRawClient } from './support/raw-client.ts';
import type { Scenario } from './support/scenario.ts';

const CLIENTS = 400;
const QUIET_MS = 4000;
const BUSY_MS = 8000;
/** Between two reads of the neighbour. */
const PAUSE_MS = 10;

export const scenario: Scenario = {
  summary: '400 clients of one account, beside one of another',
  timeoutMs: 120_000,
  async run(context) {
    const { measure, progress } = context;
    const database = await openDatabase(context);
    const [hog, neighbour] = [await openShop(database, 100_000_000), await openShop(database)];
    const { url } = await startServer(context, database.url, { WORKER: 'off' });
    const open = (key: string) => {
      const client = createLoadClient(url, { headers: { Authorization: `Bearer ${key}` }, timeoutMs: 30_000 });
      context.defer(() => client.close());
      return client;
    };
    const reader = open(neighbour.key);
    const read = async (ms: number) => {
      const times: number[] = [];
      let failed = 0;
      for (const until = performance.now() + ms; performance.now() < until; await sleep(PAUSE_MS)) {
        const answer = await reader.send('GET', `/store/pets/${neighbour.petId}`);
        if (answer.status === 200) times.push(answer.ms);
        else failed++;
      }
      return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), failed, reads: times.length };
    };

    progress('reads on a quiet server');
    await read(1000);
    const quiet = await read(QUIET_MS);
    measure({ measured: 'quiet, p50', value: quiet.p50, unit: 'ms' });
    for (const [what, request] of [
      ['reads', { method: 'GET', path: `/store/pets/${hog.petId}` }],
      ['orders', { method: 'POST', path: '/store/orders', body: { petId: hog.petId, quantity: 1 } }],
    ] as const) {
      progress(`reads beside 400 clients: ${what}`);
      const client = await openRawClient(url, { ...request, key: hog.key }, CLIENTS);
      context.defer(() => client.close());
      let isOver = false;
      let served = 0;
      let refused = 0;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isOver) {
          const status = (await client.send())?.status ?? 0;
          if (status === 503) refused++;
          else if (status === 200 || status === 201) served++;
          // As clients do that ignore Retry-After.
          if (status === 503) await sleep(100);
        }
      });
      await sleep(1000);
      const busy = await read(BUSY_MS);
      isOver = true;
      await Promise.all(clients);
      measure({ measured: `beside ${what}: p50 of quiet`, value: busy.p50 / quiet.p50, unit: 'x', max: 3 });
      measure({ measured: `beside ${what}: p99`, value: busy.p99, unit: 'ms', max: 1000 });
      measure({ measured: `beside ${what}: reads that failed`, value: busy.failed, max: 0 });
      measure({ measured: `${what} served`, value: served / ((BUSY_MS + 1000) / 1000), unit: '/s' });
      measure({ measured: `${what} refused`, value: refused / ((BUSY_MS + 1000) / 1000), unit: '/s' });
      await sleep(1000);
    }
  },
};
