/** The results of `npm run bench -- breakdown` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import type { Figure, Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';
import { LADDER, REFERENCES } from './variants.ts';
import type { QueryFigure } from './query-process.ts';

export const BREAKDOWN_RESULTS = fileURLToPath(new URL('../results/breakdown.json', import.meta.url));

export type BreakdownRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  /** By the id of the variant. */
  readonly servers: readonly Figure[];
  readonly queries: readonly QueryFigure[];
};

/** By major version of Node. */
export type Breakdown = Readonly<Record<string, BreakdownRun>>;

export function fillBreakdown(page: string, breakdown: Breakdown): string {
  return fillSection(page, 'breakdown', Object.values(breakdown).map(formatBreakdown).join('\n\n'));
}

export function formatBreakdown({ date, commit, machine, node, load, servers, queries }: BreakdownRun): string {
  const cpuOf = (variant: string) => servers.find(({ server }) => server === variant)?.cpu ?? NaN;
  const total = cpuOf(LADDER.at(-1)?.id ?? '');
  const parts = LADDER.map(({ id, title }, i) => {
    const cost = cpuOf(id) - (i === 0 ? 0 : cpuOf(LADDER[i - 1]?.id ?? ''));
    return [title, signed(cost, i), percent(cost / total), cpuOf(id).toFixed(1)];
  });
  return [
    `Node ${node.replace(/^v/, '')}, commit ${commit}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(['part of a request', 'µs', 'share', 'µs, with those before it'], parts),
    table(
      ['for comparison, over loopback', 'µs'],
      REFERENCES.map(({ id, title }) => [title, cpuOf(id).toFixed(1)]),
    ),
    table(
      ['for comparison, without HTTP', 'µs'],
      queries.map(({ title, cpu }) => [title, cpu.toFixed(1)]),
    ),
  ].join('\n\n');
}

const signed = (cost: number, i: number) => `${i > 0 && cost >= 0 ? '+' : ''}${cost.toFixed(1)}`;
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
