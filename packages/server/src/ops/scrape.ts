/** The text of `GET /metrics`: what the sources say, and prom-client's metrics of the process; of all workers, where there are several. */
import type { Log } from '../log/logger.ts';
import { inTime } from './deadlines.ts';
import type { Metric, MetricSource, MetricValue } from './metric.ts';
import { shareMetrics } from '../workers/worker-channel.ts';

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

/** What a process tells another worker: its sources', and those of prom-client, in its own shape. */
interface ProcessMetrics {
  readonly metrics: readonly Metric[];
  readonly ofProcess: readonly object[];
}

/** Metrics of the process: event loop, CPU, memory, garbage collection, files. Loaded for who wants metrics only. */
async function createProcessRegistry() {
  const { default: client } = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  return { registry, aggregate: (all: object[][]) => client.AggregatorRegistry.aggregate(all).metrics() };
}

export function createScrape(
  sources: readonly MetricSource[],
  log: Pick<Log, 'warn'>,
  { maxAgeMs = MAX_AGE_MS }: ScrapeOptions = {},
): Scrape {
  const loading = createProcessRegistry();
  const readOwn = atMostOnceIn(maxAgeMs, async (): Promise<ProcessMetrics> => {
    const [{ registry }, read] = await Promise.all([loading, Promise.all(sources.map((source) => readSource(source, log)))]);
    const ofProcess = await registry.getMetricsAsJSON();
    return {
      metrics: mergeMetrics(read.flat()),
      // When a process was started: of several, the first. Gauges named as counters are sums of those by type.
      ofProcess: ofProcess
        .filter(({ type, name }) => String(type) !== 'gauge' || !name.endsWith('_total'))
        .map((one) => ({ ...one, aggregator: one.aggregator === 'omit' ? 'min' : one.aggregator })),
    };
  });
  const readAll = shareMetrics(readOwn);
  return atMostOnceIn(maxAgeMs, async () => {
    const [{ registry, aggregate }, processes] = await Promise.all([loading, readAll()]);
    const metrics = combineProcesses(processes.map((process) => process.metrics));
    const ofProcesses = await aggregate(processes.map(({ ofProcess }) => [...ofProcess]));
    return { type: registry.contentType, text: formatMetrics(metrics) + ofProcesses };
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

/** The metrics of several processes as one: figures with the same labels are added up, of shared ones the highest is taken. */
export function combineProcesses(processes: readonly (readonly Metric[])[]): Metric[] {
  const [only] = processes;
  if (only !== undefined && processes.length === 1) return [...only];
  return mergeMetrics(processes.flat()).map((metric) => {
    const bySeries = new Map<string, MetricValue>();
    for (const one of metric.values) {
      const series = formatSeries(metric.name, one);
      const before = bySeries.get(series)?.value ?? (metric.isShared ? -Infinity : 0);
      bySeries.set(series, { ...one, value: metric.isShared ? Math.max(before, one.value) : before + one.value });
    }
    return { ...metric, values: [...bySeries.values()] };
  });
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
