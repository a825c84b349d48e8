/** Orders at ten times what the server can do, from clients that know nothing of each other: it does nearly as much, and does not grow. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient, percentile } from '../support/tools/load-client.ts';
import { startOrderLoad } from './support/order-load.ts';
import type { Scenario } from './support/scenario.ts';

const PEAK_CLIENTS = 20;
const WARM_UP_MS = 2000;
const MEASURE_MS = 6000;
const OVERLOAD_MS = 10_000;
/** Each sends one order at a time: what is due while none is free is pushed back to its sender. */
const CLIENTS = 1000;
/** Clients that keep to `Retry-After`, beside the others. */
const PATIENT_CLIENTS = 20;
/** Requests are sent in groups, in ms: a timer for each would be most of the load. */
const TICK_MS = 5;
const BURST = 3000;

export const scenario: Scenario = {
  summary: 'orders at ten times the capacity, and a burst of them',
  timeoutMs: 180_000,
  async run(context) {
    const { measure, progress } = context;
    const load = await startOrderLoad(context);
    const prober = createLoadClient(load.url);
    context.defer(() => prober.close());
    const memory = async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${load.pid}/status`, 'utf8'))?.[1]) / 1024;

    progress('measures the capacity');
    const few = await load.connect(PEAK_CLIENTS);
    const peakOf = async (ms: number) => {
      const loop = load.loop(few, PEAK_CLIENTS);
      await load.measure(WARM_UP_MS);
      const interval = await load.measure(ms);
      await loop.stop();
      return interval;
    };
    const peak = await peakOf(MEASURE_MS);
    const memoryBefore = await memory();

    const perSecond = peak.served * 10;
    progress(`sends ${Math.round(perSecond)} orders a second`);
    const client = await load.connect(CLIENTS);
    const pending = new Set<Promise<void>>();
    let pushedBack = 0;
    const send = (count: number, of = client) => {
      for (let i = 0; i < count; i++) {
        const sent = of.send();
        if (sent === undefined) pushedBack++;
        else {
          const one: Promise<void> = sent.then((answer) => {
            load.count(answer);
            pending.delete(one);
          });
          pending.add(one);
        }
      }
    };
    const patient = await load.loopPatiently(PATIENT_CLIENTS);
    const overload = load.measure(OVERLOAD_MS);
    const startedAt = performance.now();
    let memoryMost = 0;
    let due = 0;
    for (let next = 0; performance.now() - startedAt < OVERLOAD_MS; await sleep(TICK_MS)) {
      const all = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
      send(all - due);
      due = all;
      if (performance.now() < next) continue;
      next = performance.now() + 250;
      memoryMost = Math.max(memoryMost, await memory());
    }
    const interval = await overload;
    await patient.stop();
    const endedAt = performance.now();
    await Promise.all(pending);

    const { cpu } = interval;
    const othersShare = Math.max(peak.cpu.othersShare, cpu.othersShare);
    const refusals = patient.refusals.map(({ ms }) => ms);
    measure({ measured: 'capacity', value: peak.served, unit: '/s' });
    measure({ measured: 'orders that were due', value: due / (OVERLOAD_MS / 1000), unit: '/s', min: peak.served * 8 });
    measure({ measured: 'of them, not sent as no client was free', value: (pushedBack / due) * 100, unit: '%' });
    measure({ measured: 'goodput of the capacity', value: (interval.served / peak.served) * 100, unit: '%', min: 80, othersShare });
    measure({ measured: "orders by CPU of the capacity's", value: (interval.servedByCpu / peak.servedByCpu) * 100, unit: '%', min: 50 });
    measure({ measured: 'CPU of the server', value: (cpu.server / cpu.elapsed) * 100, unit: '%' });
    measure({ measured: 'CPU of others', value: othersShare * 100, unit: '%' });
    measure({ measured: 'served, p99', value: interval.servedP99, unit: 'ms', max: 2000, othersShare });
    measure({ measured: 'refused', value: interval.refused, unit: '/s' });
    measure({ measured: 'refusals of clients that keep to Retry-After', value: refusals.length, min: 1 });
    measure({ measured: 'the same, p99', value: percentile(refusals, 0.99), unit: 'ms', max: 50, othersShare });
    measure({ measured: 'answers that are neither 201 nor 503', value: interval.others, max: 0 });
    measure({ measured: 'last answer after the last request', value: performance.now() - endedAt, unit: 'ms', max: 3000, othersShare });
    measure({ measured: 'memory, of that before', value: (memoryMost / memoryBefore) * 100, unit: '%', max: 200 });

    progress(`sends ${BURST} orders at once`);
    const many = await load.connect(BURST);
    const burst = load.measure(5000);
    const burstAt = performance.now();
    send(BURST, many);
    await sleep(50);
    const probe = await prober.send('GET', '/readyz');
    await Promise.all(pending);
    const burstMs = performance.now() - burstAt;
    const { served, cpu: burstCpu } = await burst;
    measure({ measured: 'burst: served', value: served * burstCpu.elapsed, min: 1 });
    measure({ measured: 'burst: over after', value: burstMs, unit: 'ms', max: 5000, othersShare: burstCpu.othersShare });
    measure({ measured: 'burst: probe answered 200', value: Number(probe.status === 200), min: 1 });
    const afterwards = await peakOf(3000);
    const ratio = afterwards.served / peak.served;
    measure({ measured: 'capacity afterwards', value: ratio * 100, unit: '%', min: 80, othersShare: afterwards.cpu.othersShare });
  },
};
