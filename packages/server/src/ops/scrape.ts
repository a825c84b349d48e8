/** The text of `GET /metrics`: what the sources say, and prom-client's metrics of the process. */
import type { Log } from '../log/logger.ts';
import { inTime } from './time-limits.ts';
import type { Metric, MetricSource, MetricValue } from '@specwright/contract/runtime';

/** How long a source may take, in ms: metrics are read while something fails, such as the database that a source asks. */
const SOURCE_TIMEOUT_MS = 1000;
/** How old figures may be, in ms: who scrapes in a loop must not take the processor from requests. */
const MAX_AGE_MS = 1000;

export interface ScrapeOptions {
  /** How old the figures may be, in ms. Default: 1000. */
  readonly maxAgeMs?: number | undefined;
}

interface ScrapedText {
  readonly type: string;
  readonly text: string;
}

export type Scrape = () => Promise<ScrapedText>;

/** Metrics of the process: event loop, CPU, memory, garbage collection, files. Loaded for who wants metrics only. */
async function createProcessRegistry() {
  const { collectDefaultMetrics, Registry } = await import('../libraries/prom-client.ts');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Gauges named as counters: they are sums of those by type.
  for (const { name, type } of registry.getMetricsAsArray())
    if (String(type) === 'gauge' && name.endsWith('_total')) registry.removeSingleMetric(name);
  return registry;
}

export function createScrape(
  sources: readonly MetricSource[],
  log: Pick<Log, 'warn'>,
  { maxAgeMs = MAX_AGE_MS }: ScrapeOptions = {},
): Scrape {
  const loading = createProcessRegistry();
  return atMostOnceIn(maxAgeMs, async () => {
    const [registry, read] = await Promise.all([loading, Promise.all(sources.map((source) => readSource(source, log)))]);
    return { type: registry.contentType, text: formatMetrics(mergeMetrics(read.flat())) + (await registry.metrics()) };
  });
}

/** Runs `read` if the last result was asked for longer ago than `maxAgeMs`, or has failed; those who ask meanwhile wait for the same one. */
function atMostOnceIn<T>(maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let begun = -Infinity;
  let isUnderWay = false;
  return () => {
    if (last !== undefined && (isUnderWay || performance.now() - begun < maxAgeMs)) return last;
    begun = performance.now();
    isUnderWay = true;
    const current = read().finally(() => (isUnderWay = false));
    current.catch(() => (last = undefined));
    return (last = current);
  };
}

async function readSource(source: MetricSource, log: Pick<Log, 'warn'>): Promise<readonly Metric[]> {
  try {
    // First: a source that throws leaves no timer, whose end nobody would wait for.
    const read = Promise.resolve(source());
    return await inTime(read, SOURCE_TIMEOUT_MS, () => new Error(`no answer within ${SOURCE_TIMEOUT_MS} ms`));
  } catch (err) {
    log.warn({ err }, 'some metrics could not be read');
    return [];
  }
}

/** One metric of each name, in the order in which they were first seen, with the values of all. */
function mergeMetrics(all: readonly Metric[]): Metric[] {
  const byName = new Map<string, { metric: Metric; values: MetricValue[] }>();
  for (const metric of all) {
    const before = byName.get(metric.name);
    if (before === undefined) byName.set(metric.name, { metric, values: [...metric.values] });
    else before.values.push(...metric.values);
  }
  return [...byName.values()].map(({ metric, values }) => ({ ...metric, values }));
}

/** @returns lines, each with its end. */
export function formatMetrics(metrics: readonly Metric[]): string {
  let text = '';
  for (const { name, help, type, values } of metrics) {
    text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
    for (const value of values) text += `${formatSeries(name, value)} ${formatValue(value.value)}\n`;
  }
  return text;
}

function formatSeries(name: string, { metricName = name, labels = {} }: MetricValue): string {
  let text = '';
  for (const label in labels) text += `${text === '' ? '' : ','}${label}="${escape(String(labels[label]))}"`;
  return text === '' ? metricName : `${metricName}{${text}}`;
}

const escape = (value: string): string =>
  /["\\\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;

const formatValue = (value: number): string =>
  Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
