/** The results of `npm run bench -- workers` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';

export const WORKERS_RESULTS = fileURLToPath(new URL('../results/workers.json', import.meta.url));

/** The round with the least CPU for a request. */
export interface WorkersFigure {
  readonly workers: number;
  readonly perSecond: number;
  /** CPU for a request, in µs: of the service with all its processes, of the database, of the load generator. */
  readonly cpu: { readonly service: number; readonly database: number; readonly load: number };
  /** Of the CPU of all workers, the share of the busiest one: 0 to 1. */
  readonly busiest: number;
}

export type WorkersRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly figures: readonly WorkersFigure[];
};

/** By major version of Node. */
export type Workers = Readonly<Record<string, WorkersRun>>;

export const fillWorkers = (page: string, workers: Workers): string =>
  fillSection(page, 'workers', Object.values(workers).map(formatWorkers).join('\n\n'));

export function formatWorkers({ date, commit, machine, node, load, figures }: WorkersRun): string {
  return [
    `Node ${node.replace(/^v/, '')}, commit ${commit}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(
      [
        'workers',
        'requests per CPU second of theirs',
        'CPU µs for a request',
        'of the database',
        'of the load generator',
        'per second',
        'busiest worker',
      ],
      figures.map(({ workers, perSecond, cpu, busiest }) => [
        String(workers),
        (1e6 / cpu.service).toFixed(0),
        ...[cpu.service, cpu.database, cpu.load].map((value) => value.toFixed(0)),
        String(perSecond),
        `${(busiest * 100).toFixed(0)} %`,
      ]),
    ),
  ].join('\n\n');
}
