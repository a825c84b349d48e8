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

/** Upper bounds in s. Each is a series of every route: few, for what a request takes, up to the time that it is given by default. */
const BOUNDS = [0.0025, 0.01, 0.05, 0.25, 1, 2.5];

/** Durations of one combination of labels. Recording one costs no allocation and no look-up. */
export class Durations {
  readonly #buckets = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  record(seconds: number): void {
    let i = 0;
    while (i < BOUNDS.length && seconds > (BOUNDS[i] as number)) i++;
    this.#buckets[i] = (this.#buckets[i] as number) + 1;
    this.#sum += seconds;
  }

  values(name: string, labels: Readonly<Record<string, string | number>>): MetricValue[] {
    let count = 0;
    const buckets = [...BOUNDS, '+Inf'].map((le, i) => {
      count += this.#buckets[i] as number;
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [...buckets, { metricName: `${name}_sum`, labels, value: this.#sum }, { metricName: `${name}_count`, labels, value: count }];
  }
}
