/** The results of `npm run bench -- scale` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';
import type { RateFigure } from './arrival-rate.ts';
import type { ConnectionsFigure } from './connections.ts';
import type { OperationsFigure } from './operations.ts';
import type { RowsFigure } from './rows.ts';

export const SCALE_RESULTS = fileURLToPath(new URL('../results/scale.json', import.meta.url));

export interface ScaleFigures {
  readonly operations?: readonly OperationsFigure[];
  readonly connections?: ConnectionsFigure;
  readonly rows?: readonly RowsFigure[];
  readonly rates?: readonly RateFigure[];
}

export type ScaleRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  readonly figures: ScaleFigures;
  /** The load average of the machine at the end, over five minutes: on a busy one requests wait for a processor. */
  readonly load: number;
};

export const fillScale = (page: string, run: ScaleRun): string => fillSection(page, 'scale', formatScale(run));

export function formatScale({ date, commit, machine, node, figures, load }: ScaleRun): string {
  const { operations = [], connections, rows = [], rates = [] } = figures;
  const first = operations[0]?.cpu ?? NaN;
  const parts = [
    `Commit ${commit}, ${date.slice(0, 10)}, Node ${node.replace(/^v/, '')}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
  ];
  if (operations.length > 0)
    parts.push(
      table(
        ['operations', 'CPU of a request, µs', 'beside one operation'],
        operations.map(({ operations: count, cpu }) => [String(count), cpu.toFixed(1), percent(cpu / first - 1)]),
      ),
    );
  if (connections !== undefined) {
    const { connections: count, kibPerConnection, cpu } = connections;
    parts.push(
      `${count} open connections take ${kibPerConnection.toFixed(1)} KiB each. A request on 32 others costs ${cpu.beside.toFixed(1)} µs of CPU, and ${cpu.alone.toFixed(1)} µs without them.`,
    );
  }
  if (rates.length > 0)
    parts.push(
      table(
        ['requests due in a second', 'answered', 'p50, ms', 'p99, ms', 'p999, ms'],
        rates.map(({ rate, answered, ...latency }) => [
          String(rate),
          `${(answered * 100).toFixed(1)} %`,
          ...[latency.p50, latency.p99, latency.p999].map((ms) => ms.toFixed(2)),
        ]),
      ),
    );
  const totals = Object.keys(rows[0]?.ms ?? {});
  if (rows.length > 0)
    parts.push(
      table(
        ['read', ...totals.map((total) => `p50 among ${total} rows, ms`)],
        rows.map(({ read, ms }) => [read, ...totals.map((total) => (ms[total] ?? NaN).toFixed(2))]),
      ),
    );
  return parts.join('\n\n');
}

const percent = (share: number) => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(0)} %`;
