/** How long requests take, as a histogram of Prometheus. */
import type { MetricValue } from '@specwright/contract/runtime';

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
