/** The figures of `npm run bench -- compile` as text. */
import type { FirstRequests, Storm } from './measure.ts';

export interface CompileFigures {
  readonly name: string;
  readonly specKiB: number;
  readonly operations: number;
  /** How many of the operations were requested. */
  readonly measured: number;
  readonly storm: Storm;
  readonly cold: FirstRequests;
  readonly warm: FirstRequests;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Median, 95th percentile and maximum, in ms. */
function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (fraction: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN).toFixed(1);
  return `median ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`;
}

export function formatCompile({ name, specKiB, operations, measured, storm, cold, warm }: CompileFigures): string {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const everything = warm.idle + sum(warm.first) - warm.second;
  const lines: [string, string][] = [
    ['CPU until it listens', ms(warm.listening)],
    ['CPU from then until it is idle', `${ms(warm.idle)}, longest slice ${ms(warm.idleSlice)}`],
    ['CPU of everything compiled', ms(everything)],
    ['longest slice of the event loop', `${ms(storm.slice)} (${ms(storm.sliceCpu)} of CPU)`],
    ['longest wait of /livez', ms(storm.livez)],
    ['CPU of a first request, at once', `${spread(cold.first)} ms`],
    ['CPU of a first request, once idle', `${spread(warm.first)} ms`],
    ['CPU of a second request, mean', `${(warm.second / measured).toFixed(1)} ms`],
    ['heap for each operation', `${(warm.heap / measured / 1024).toFixed(0)} KiB`],
    [
      'answered 500, 503 or not at all',
      [warm, cold, storm].map(({ failed }) => failed).join(', ') + ' (idle, at once one by one, all at once)',
    ],
  ];
  const head = `${name}: ${operations} operations, ${specKiB.toFixed(0)} KiB${measured < operations ? `; ${measured} of them requested` : ''}`;
  return [head, ...lines.map(([what, value]) => `  ${what.padEnd(36)}${value}`)].join('\n');
}
