/** `GET /metrics`, if enabled: counters in the text format of Prometheus, version 0.0.4. */
import type { Request, RequestHandler } from 'express';
import { isGetOrHead } from './probes.ts';
import { send } from './send-response.ts';

/** A counter with one label. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  /** The count by the value of the label. */
  readonly values: Readonly<Record<string, number>>;
  readonly label: string;
}

/** @param read returns the current counters. @param addHeaders adds the headers of a request that is not counted. */
export function metrics(read: () => readonly Metric[], addHeaders: (request: Request) => void): RequestHandler {
  return (request, response, next) => {
    const { path, headers } = request.exchange;
    if (path !== '/metrics' || !isGetOrHead(request)) return next();
    addHeaders(request);
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
