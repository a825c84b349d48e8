/** `GET /metrics`, if enabled: counters in the text format of Prometheus, version 0.0.4. */
import type { Endpoints } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { send } from './send-response.ts';

/** A counter that only grows, with its values by label. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  /** The label's value to the count. */
  readonly values: Readonly<Record<string, number>>;
  readonly label: string;
}

/** @param read the counters as they are now. */
export const metrics = (read: () => readonly Metric[]): Endpoints =>
  new Map([
    [
      '/metrics',
      (exchange: Exchange) =>
        send(exchange, {
          status: 200,
          headers: { ...exchange.headers, 'Cache-Control': 'no-store' },
          type: 'text/plain; version=0.0.4; charset=utf-8',
          text: read().map(formatMetric).join(''),
        }),
    ],
  ]);

function formatMetric({ name, help, label, values }: Metric): string {
  const lines = Object.entries(values).map(([value, count]) => `${name}{${label}="${value}"} ${count}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('')}`;
}
