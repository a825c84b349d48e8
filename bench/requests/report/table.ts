/** The figures of a run as a table for a terminal. */
import { OPERATION_TITLES, OPERATIONS } from '../operations.ts';
import type { Figure, Run } from './results.ts';
import { BARE, HARNESSES, SERVERS, type Harness } from '../servers/servers.ts';

export const HARNESS_TITLES: Readonly<Record<Harness, string>> = {
  memory: 'in memory, constant handlers, log off',
  loopback: 'over loopback, 32 connections, constant handlers, log off',
  postgres: 'over loopback, 32 connections, one row of PostgreSQL read by its key',
};

export const titleOf = (server: string): string => SERVERS.find(({ id }) => id === server)?.title ?? server;

/** The share of the log in the CPU of a request, 0 to 1; `undefined` for a server that was not measured without it too. */
export function logShare(figures: readonly Figure[], { server, operation, cpu }: Figure): number | undefined {
  const withoutLog = SERVERS.find(({ id }) => id === server)?.withoutLog;
  const silent = figures.find((figure) => figure.server === withoutLog && figure.operation === operation);
  return silent && (cpu - silent.cpu) / cpu;
}

export const formatShare = (share: number | undefined): string => (share === undefined ? '' : `${(share * 100).toFixed(0)} %`);

export function printRun({ node, commit, machine, figures }: Run): void {
  console.log(`Node ${node}, ${machine.cores} x ${machine.cpu}, commit ${commit}`);
  for (const harness of HARNESSES) {
    const measured = figures[harness];
    if (measured === undefined) continue;
    const bare = new Map(measured.filter(({ server }) => server === BARE).map(({ operation, cpu }) => [operation, cpu]));
    console.log(`\nCPU µs for a request, ${HARNESS_TITLES[harness]}`);
    for (const operation of OPERATIONS.filter((name) => measured.some((figure) => figure.operation === name))) {
      console.log(
        `  ${OPERATION_TITLES[operation].padEnd(50)}${'least'.padStart(8)}${'median'.padStart(8)}${'x bare'.padStart(8)}${'log'.padStart(7)}${'per second'.padStart(12)}`,
      );
      for (const figure of measured.filter((candidate) => candidate.operation === operation)) {
        const { server, cpu, median, perSecond = '' } = figure;
        const log = formatShare(logShare(measured, figure));
        const ratio = (cpu / (bare.get(operation) ?? NaN)).toFixed(2);
        console.log(
          `    ${titleOf(server).padEnd(48)}${cpu.toFixed(1).padStart(8)}${median.toFixed(1).padStart(8)}${ratio.padStart(8)}${log.padStart(7)}${String(perSecond).padStart(12)}`,
        );
      }
    }
  }
}
