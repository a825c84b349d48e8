/** What packages and services tell `GET /metrics`: their figures as they are at that moment, by name. */

/** A figure, or one for each combination of labels. Names and units follow Prometheus: `..._total`, `..._seconds`, `..._bytes`. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string | number>>;
  /** The name of this value, for those of a histogram. */
  readonly metricName?: string;
}

/** Read when somebody asks for the metrics. Several sources may have values of one metric. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>;

export const counter = (name: string, help: string, values: number | readonly MetricValue[]): Metric => ({
  name,
  help,
  type: 'counter',
  values: listed(values),
});

export const gauge = (name: string, help: string, values: number | readonly MetricValue[]): Metric => ({
  name,
  help,
  type: 'gauge',
  values: listed(values),
});

const listed = (values: number | readonly MetricValue[]) => (typeof values === 'number' ? [{ value: values }] : values);

export const byLabel = (label: string, counts: Readonly<Record<string, number>>): MetricValue[] =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }));
