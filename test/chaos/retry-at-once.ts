/** Clients that send their order again at once when it is refused: they do not keep the server from serving. */
import type { Scenario } from './support/scenario.ts';
import { startOrderLoad, type Interval } from './support/order-load.ts';
import { percentile } from '../support/tools/load-client.ts';

/** As many as the server runs at once. */
const PEAK_CLIENTS = 10;
const CLIENTS = [300, 600, 1000];
/** Clients that keep to `Retry-After`, beside the others. */
const PATIENT_CLIENTS = 20;
const WARM_UP_MS = 2000;
const MEASURE_MS = 4000;

export const scenario: Scenario = {
  summary: 'up to 1,000 clients that retry at once',
  timeoutMs: 240_000,
  async run(context) {
    const { measure, progress } = context;
    const load = await startOrderLoad(context);
    const measureClients = async (clients: number): Promise<Interval> => {
      progress(`${clients} clients`);
      const loop = load.loop(await load.connect(clients), clients);
      await load.measure(WARM_UP_MS);
      const interval = await load.measure(MEASURE_MS);
      await loop.stop();
      return interval;
    };

    const before = await measureClients(PEAK_CLIENTS);
    const patient = await load.loopPatiently(PATIENT_CLIENTS);
    const overloads: Interval[] = [];
    for (const clients of CLIENTS) overloads.push(await measureClients(clients));
    await patient.stop();
    const after = await measureClients(PEAK_CLIENTS);

    const [capacity, capacityByCpu] = [(before.served + after.served) / 2, (before.servedByCpu + after.servedByCpu) / 2];
    const busiest = Math.max(...[before, ...overloads, after].map(({ cpu }) => cpu.othersShare));
    measure({ measured: 'capacity', value: capacity, unit: '/s' });
    measure({ measured: 'CPU of the server for an order', value: 1000 / capacityByCpu, unit: 'ms' });
    overloads.forEach(({ served, servedByCpu, refused, servedP99, others, cpu }, i) => {
      const by = `${CLIENTS[i]} clients:`;
      const othersShare = Math.max(before.cpu.othersShare, cpu.othersShare, after.cpu.othersShare);
      measure({ measured: `${by} goodput of the capacity`, value: (served / capacity) * 100, unit: '%', min: 80, othersShare });
      // What an order costs varies with what others do to the caches: a collapse is seen on any machine.
      measure({ measured: `${by} orders by CPU of the capacity's`, value: (servedByCpu / capacityByCpu) * 100, unit: '%', min: 50 });
      measure({ measured: `${by} refused`, value: refused, unit: '/s' });
      measure({ measured: `${by} CPU of the server`, value: (cpu.server / cpu.elapsed) * 100, unit: '%' });
      measure({ measured: `${by} CPU of others`, value: cpu.othersShare * 100, unit: '%' });
      measure({ measured: `${by} served, p99`, value: servedP99, unit: 'ms', max: 2000, othersShare });
      measure({ measured: `${by} answers that are neither 201 nor 503`, value: others, max: 0 });
    });
    const refusals = patient.refusals.map(({ ms }) => ms);
    measure({ measured: 'refusals of clients that keep to Retry-After', value: refusals.length, min: 1 });
    measure({ measured: 'the same, p99', value: percentile(refusals, 0.99), unit: 'ms', max: 50, othersShare: busiest });
  },
};
