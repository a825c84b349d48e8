/** The results of `npm run bench -- limiter` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';

export const LIMITER_RESULTS = fileURLToPath(new URL('../results/limiter.json', import.meta.url));

export interface LimiterFigure {
  readonly limiter: string;
  readonly keys: number;
  readonly inFlight: number;
  readonly perSecond: number;
  /** In ms. */
  readonly p50: number;
  readonly p99: number;
}

export type LimiterRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly figures: readonly LimiterFigure[];
};

export const fillLimiter = (page: string, run: LimiterRun): string => fillSection(page, 'limiter', formatLimiter(run));

export function formatLimiter({ date, commit, machine, node, load, figures }: LimiterRun): string {
  return [
    `Commit ${commit}, ${date.slice(0, 10)}, Node ${node.replace(/^v/, '')}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(
      ['limiter', 'keys', 'in flight', 'decisions per second', 'p50, ms', 'p99, ms'],
      figures.map(({ limiter, keys, inFlight, perSecond, p50, p99 }) => [
        limiter,
        String(keys),
        String(inFlight),
        String(perSecond),
        p50.toFixed(2),
        p99.toFixed(2),
      ]),
    ),
  ].join('\n\n');
}
