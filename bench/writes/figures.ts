/** The figures of writes: as a table, and as the ratios that the gate compares. */
import type { Ratio } from '../support/gate.ts';
import { table } from '../support/report.ts';
import type { WriteFigure } from './measure.ts';
import { WRITE_TITLES } from './operations.ts';
import { BARE_WRITES, OWN_WRITES, WRITE_SERVERS } from './servers.ts';

/** How much of a ratio may be worse than the baseline. */
const SLACK = 0.15;

const titleOf = ({ write, accounts }: Pick<WriteFigure, 'write' | 'accounts'>) =>
  `${WRITE_TITLES[write]}, ${accounts === 'one' ? 'one account' : '200 accounts'}`;

const HEAD = ['request', 'server', 'CPU of the server, ms', 'CPU of PostgreSQL, ms', 'per second', 'p50, ms', 'p99, ms'];

export function formatWrites(figures: readonly WriteFigure[]): string {
  const rows = figures.map((figure) => [
    titleOf(figure),
    WRITE_SERVERS.find(({ id }) => id === figure.server)?.title ?? figure.server,
    figure.cpu.toFixed(3),
    figure.databaseCpu.toFixed(3),
    figure.perSecond.toFixed(0),
    figure.p50.toFixed(1),
    figure.p99.toFixed(1),
  ]);
  return table(HEAD, rows, 2);
}

/** The CPU of a write, PostgreSQL's included, in that of the bare server. */
export function writeRatios(figures: readonly WriteFigure[]): Ratio[] {
  const total = ({ cpu, databaseCpu }: WriteFigure) => cpu + databaseCpu;
  return figures
    .filter(({ server }) => server === OWN_WRITES)
    .flatMap((own) => {
      const bare = figures.find((other) => other.server === BARE_WRITES && titleOf(other) === titleOf(own));
      return bare === undefined ? [] : [{ name: titleOf(own), value: total(own) / total(bare), slack: SLACK }];
    });
}
