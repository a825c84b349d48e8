/** The results of `npm run bench -- writes`: a section of bench/results/README.md, and the ratios that the gate compares. */
import { fileURLToPath } from 'node:url';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';
import type { WriteFigure } from './measure.ts';
import { WRITE_TITLES } from './operations.ts';
import { BARE_WRITES, OWN_WRITES, WRITE_SERVERS } from './servers.ts';

export const WRITE_RESULTS = fileURLToPath(new URL('../results/writes.json', import.meta.url));

export type WriteRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node' | 'versions'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly connections: number;
  readonly figures: readonly WriteFigure[];
};

/** How much of a ratio may be worse than the committed one. */
const SLACK = 0.15;

export const fillWrites = (page: string, run: WriteRun): string => fillSection(page, 'writes', formatWrites(run));

const TITLES = new Map(WRITE_SERVERS.map(({ id, title }) => [id, title]));
const titleOf = ({ write, accounts }: Pick<WriteFigure, 'write' | 'accounts'>) =>
  `${WRITE_TITLES[write]}, ${accounts === 'one' ? 'one account' : '200 accounts'}`;

export function formatWrites({ date, commit, machine, node, load, connections, figures }: WriteRun): string {
  const titles = [...new Set(figures.map(titleOf))];
  const rowsOf = (title: string) =>
    figures
      .filter((figure) => titleOf(figure) === title)
      .map(({ server, cpu, databaseCpu, perSecond, p50, p99 }) => [
        TITLES.get(server) ?? server,
        cpu.toFixed(3),
        databaseCpu.toFixed(3),
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
      ]);
  const head = ['server', 'CPU of the server, ms', 'CPU of PostgreSQL, ms', 'per second', 'p50, ms', 'p99, ms'];
  return [
    `Commit ${commit}, ${date.slice(0, 10)}, Node ${node.replace(/^v/, '')}, ${machine.cores} × ${machine.cpu}, ${connections} clients, load average ${load.toFixed(1)} in the five minutes before the end.`,
    ...titles.flatMap((title) => [`### ${title}`, table(head, rowsOf(title))]),
  ].join('\n\n');
}

/** The CPU of a write, PostgreSQL's included, in that of the bare server: by title. */
export function writeRatios(figures: readonly WriteFigure[]): Map<string, number> {
  const total = ({ cpu, databaseCpu }: WriteFigure) => cpu + databaseCpu;
  return new Map(
    figures
      .filter(({ server }) => server === OWN_WRITES)
      .flatMap((own) => {
        const bare = figures.find((other) => other.server === BARE_WRITES && titleOf(other) === titleOf(own));
        return bare === undefined ? [] : [[titleOf(own), total(own) / total(bare)] as const];
      }),
  );
}

/** @returns a line for each ratio, and whether one is worse than the committed one allows. */
export function compareWrites(figures: readonly WriteFigure[], committed: readonly WriteFigure[]): { lines: string[]; isWorse: boolean } {
  const before = writeRatios(committed);
  const compared = [...writeRatios(figures)].map(([title, ratio]) => {
    const baseline = before.get(title) ?? NaN;
    // A write that was not measured then fails too.
    return { title, ratio, baseline, isWorse: !(ratio <= baseline * (1 + SLACK)) };
  });
  return {
    lines: compared.map(
      ({ title, ratio, baseline, isWorse }) =>
        `${isWorse ? 'worse' : 'ok   '}  ${title.padEnd(48)} ${ratio.toFixed(2)} times the bare server, committed ${baseline.toFixed(2)}`,
    ),
    isWorse: compared.length === 0 || compared.some(({ isWorse }) => isWorse),
  };
}
