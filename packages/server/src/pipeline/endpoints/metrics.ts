/** `GET /metrics`, if enabled, in the text format of Prometheus: what the sources say, and prom-client's metrics of the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metric as ClientMetric, Registry } from 'prom-client';
import { withHeaders } from '../../http/header-list.ts';
import type { Log } from '../../ops/log/logger.ts';
import type { Metric, MetricSource } from '../../ops/metric.ts';
import { shareMetrics } from '../../ops/workers/worker-channel.ts';
import type { Endpoints } from './endpoints.ts';
import { send } from '../send-response.ts';

/** How long a source may take, in ms: metrics are read while something fails, such as the database that a source asks. */
const SOURCE_TIMEOUT_MS = 1000;

/** Metrics of the process: event loop, CPU, memory, garbage collection, files. Loaded for who wants metrics only. */
async function createProcessRegistry() {
  const { default: client } = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  return { registry, Registry: client.Registry, aggregate: (all: object[][]) => client.AggregatorRegistry.aggregate(all) };
}

export function metrics(sources: readonly MetricSource[], log: Pick<Log, 'warn'>): Endpoints {
  const loading = createProcessRegistry();
  const readAll = shareMetrics(async () => {
    const [{ registry, Registry }, read] = await Promise.all([loading, Promise.all(sources.map((source) => readSource(source, log)))]);
    const own = register(new Registry(), merge(read.flat()));
    const ofProcess = await registry.getMetricsAsJSON();
    // When a process was started: of several, the first.
    return [
      ...(await own.getMetricsAsJSON()),
      ...ofProcess.map((one) => ({ ...one, aggregator: one.aggregator === 'omit' ? 'min' : one.aggregator })),
    ];
  });
  return new Map([
    [
      '/metrics',
      async (exchange) => {
        const [{ registry, aggregate }, processes] = await Promise.all([loading, readAll()]);
        send(exchange, {
          status: 200,
          headers: withHeaders(exchange.headers, { 'Cache-Control': 'no-store' }),
          type: registry.contentType,
          text: await aggregate(processes).metrics(),
        });
      },
    ],
  ]);
}

/** What a source says; nothing, and a line in the log, if it fails. */
async function readSource(source: MetricSource, log: Pick<Log, 'warn'>): Promise<readonly Metric[]> {
  const timeout = new AbortController();
  try {
    const late = sleep(SOURCE_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${SOURCE_TIMEOUT_MS} ms`);
    });
    return await Promise.race([source(), late]);
  } catch (err) {
    log.warn({ err }, 'some metrics could not be read');
    return [];
  } finally {
    timeout.abort();
  }
}

/** One metric of each name, with the values of all sources. */
function merge(read: readonly Metric[]): Metric[] {
  const byName = new Map<string, Metric>();
  for (const metric of read) {
    const before = byName.get(metric.name);
    byName.set(metric.name, before === undefined ? metric : { ...before, values: [...before.values, ...metric.values] });
  }
  return [...byName.values()];
}

function register(registry: Registry, all: readonly Metric[]): Registry {
  for (const metric of all) {
    const values = metric.values.map((value) => ({ labels: {}, ...value }));
    // What a registry needs of a metric: prom-client's own would look labels up at each request.
    registry.registerMetric({
      name: metric.name,
      get: async () => ({ ...metric, values, aggregator: metric.isShared ? 'max' : 'sum' }),
    } as unknown as ClientMetric);
  }
  return registry;
}
