/** Orders at ten times what the server can do: it goes on doing nearly as much, refuses the rest at once, and does not grow. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient, percentile } from '@specwright/testing';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import { openRawClient, type RawAnswer } from './support/raw-client.ts';
import type { Scenario } from './support/scenario.ts';

const CLIENTS = 20;
const MEASURE_MS = 6000;
const OVERLOAD_MS = 10_000;
/** Requests are sent in groups, in ms: a timer for each would be most of the load. */
const TICK_MS = 5;
const BURST = 3000;

export const scenario: Scenario = {
  summary: 'orders at ten times the capacity, and a burst of them',
  timeoutMs: 180_000,
  async run(context) {
    const { measure, progress } = context;
    const database = await openDatabase(context, { fsync: 'on', synchronous_commit: 'on' });
    const { key, petId } = await openShop(database, 100_000_000);
    const server = await startServer(context, database.url, { WORKER: 'off' });
    const request = { method: 'POST', path: '/store/orders', key, body: { petId, quantity: 1 } };
    const client = await openRawClient(server.url, request, BURST);
    context.defer(() => client.close());
    const order = () => client.send() ?? Promise.resolve<RawAnswer>({ status: 0, ms: 0, retryAfter: false });
    const prober = createLoadClient(server.url);
    context.defer(() => prober.close());
    const memory = async () => {
      const status = await readFile(`/proc/${server.process.child.pid ?? 0}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };

    progress('measures the capacity');
    const loop = async (until: number) => {
      let done = 0;
      while (performance.now() < until) if ((await order()).status === 201) done++;
      return done;
    };
    const peakOf = async (ms: number) => {
      const until = performance.now() + ms;
      const counts = await Promise.all(Array.from({ length: CLIENTS }, () => loop(until)));
      return counts.reduce((sum, count) => sum + count, 0) / (ms / 1000);
    };
    await peakOf(2000);
    const peak = await peakOf(MEASURE_MS);
    const memoryBefore = await memory();

    progress(`sends ${Math.round(peak * 10)} orders a second`);
    const pending: Promise<void>[] = [];
    const answers: RawAnswer[] = [];
    const send = (count: number) => {
      for (let i = 0; i < count; i++) pending.push(order().then((answer) => void answers.push(answer)));
    };
    let memoryMost = 0;
    const startedAt = performance.now();
    let sent = 0;
    for (let next = 0; performance.now() - startedAt < OVERLOAD_MS; await sleep(TICK_MS)) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * peak * 10) - sent;
      send(due);
      sent += due;
      if (performance.now() < next) continue;
      next = performance.now() + 250;
      memoryMost = Math.max(memoryMost, await memory());
    }
    const offered = sent / (OVERLOAD_MS / 1000);
    const endedAt = performance.now();
    await Promise.all(pending);
    const elapsed = (performance.now() - startedAt) / 1000;
    const served = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter);
    measure({ measured: 'capacity', value: peak, unit: '/s' });
    measure({ measured: 'sent', value: offered, unit: '/s', min: peak * 8 });
    measure({ measured: 'goodput of the capacity', value: (served.length / elapsed / peak) * 100, unit: '%', min: 80 });
    measure({
      measured: 'served, p99',
      value: percentile(
        served.map(({ ms }) => ms),
        0.99,
      ),
      unit: 'ms',
      max: 2000,
    });
    measure({
      measured: 'refused, p50',
      value: percentile(
        refused.map(({ ms }) => ms),
        0.5,
      ),
      unit: 'ms',
      max: 50,
    });
    measure({
      measured: 'refused, p99',
      value: percentile(
        refused.map(({ ms }) => ms),
        0.99,
      ),
      unit: 'ms',
    });
    measure({ measured: 'answers that are neither 201 nor 503', value: answers.length - served.length - refused.length, max: 0 });
    measure({ measured: 'last answer after the last request', value: performance.now() - endedAt, unit: 'ms', max: 3000 });
    measure({ measured: 'memory, of that before', value: (memoryMost / memoryBefore) * 100, unit: '%', max: 200 });

    progress(`sends ${BURST} orders at once`);
    answers.length = pending.length = 0;
    const burstAt = performance.now();
    send(BURST);
    await sleep(50);
    const probe = await prober.send('GET', '/readyz');
    await Promise.all(pending);
    const orders = answers.filter(({ status }) => status === 201).length;
    measure({ measured: 'burst: served', value: orders, min: 1 });
    measure({ measured: 'burst: over after', value: performance.now() - burstAt, unit: 'ms', max: 5000 });
    measure({ measured: 'burst: probe answered 200', value: Number(probe.status === 200), min: 1 });
    measure({ measured: 'capacity afterwards', value: ((await peakOf(3000)) / peak) * 100, unit: '%', min: 80 });
  },
};
