/** `GET /metrics`, if it is switched on: counters in the text format of Prometheus, version 0.0.4. */
import type { RequestHandler } from 'express';
import { isGetOrHead } from './probes.ts';
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
export function metrics(read: () => readonly Metric[]): RequestHandler {
  return (request, response, next) => {
    const { path, headers } = request.exchange;
    if (path !== '/metrics' || !isGetOrHead(request)) return next();
    const text = read().map(formatMetric).join('');
    send(request, response, {
      status: 200,
      headers: { ...headers, 'Cache-Control': 'no-store' },
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text,
    });
  };
}

function formatMetric({ name, help, label, values }: Metric): string {
  const lines = Object.entries(values).map(([value, count]) => `${name}{${label}="${value}"} ${count}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('')}`;
}
