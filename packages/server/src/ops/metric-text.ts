/** Adds up the metrics of several processes, and writes metrics in the text format of Prometheus (version 0.0.4). */
import type { Metric, MetricValue } from './metric.ts';

/** One metric of each name, in the order in which they were first seen, with the values of all. */
export function mergeMetrics(all: readonly Metric[]): Metric[] {
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
