/** The results of `npm run bench -- boot` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';
import type { ColdStart } from './cold-start.ts';

export const BOOT_RESULTS = fileURLToPath(new URL('../results/boot.json', import.meta.url));

/** A server of a contract with so many operations. */
export interface ContractBoot {
  readonly operations: number;
  readonly specKiB: number;
  /** CPU until it listens, in ms. */
  readonly bootMs: number;
  /** CPU of a request to the first and to the last operation, in µs. */
  readonly first: number;
  readonly last: number;
}

export type BootRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly coldStart: ColdStart;
  readonly contracts: readonly ContractBoot[];
};

/** By major version of Node. */
export type Boot = Readonly<Record<string, BootRun>>;

export const fillBoot = (page: string, boot: Boot): string => fillSection(page, 'boot', Object.values(boot).map(formatBoot).join('\n\n'));

export function formatBoot({ date, commit, machine, node, load, coldStart, contracts }: BootRun): string {
  const { listening, ready, settled } = coldStart;
  const ms = (value: number) => value.toFixed(0);
  return [
    `Node ${node.replace(/^v/, '')}, commit ${commit}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(
      ['cold start of the pet store', 'wall, ms', 'median, ms', 'CPU, ms'],
      [
        ['until it listens', ms(listening.wall), '', ms(listening.cpu)],
        ['until it serves requests', ms(ready.wall), ms(ready.median), ms(ready.cpu)],
        ['2 s after the start, with the validator loaded', '', '', ms(settled.cpu)],
      ],
    ),
    `Memory after the start: ${settled.mib.toFixed(0)} MiB.`,
    table(
      ['operations of a contract', 'spec, KiB', 'CPU of the start, ms', 'CPU of a request to the first, µs', 'to the last, µs'],
      contracts.map(({ operations, specKiB, bootMs, first, last }) => [operations, specKiB, bootMs, first, last].map(ms)),
    ),
  ].join('\n\n');
}
