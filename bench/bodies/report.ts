/** The results of `npm run bench -- bodies` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';

export const BODIES_RESULTS = fileURLToPath(new URL('../results/bodies.json', import.meta.url));

export interface TransferFigure {
  readonly server: string;
  /** How many of which size. */
  readonly what: string;
  /** The most resident memory of the server's process, in MiB. */
  readonly peakMiB: number;
  /** CPU of the server's process. */
  readonly cpuSecondsPerGiB: number;
  readonly mibPerSecond: number;
}

export interface EventFigure {
  readonly server: string;
  readonly streams: number;
  readonly kibPerStream: number;
  /** CPU for an event in one stream, in µs. */
  readonly cpuPerEvent: number;
  /** Of other requests meanwhile, in ms. */
  readonly p50: number;
  readonly p99: number;
}

export type BodiesRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly transfers: readonly TransferFigure[];
  readonly events: readonly EventFigure[];
};

/** By major version of Node. */
export type Bodies = Readonly<Record<string, BodiesRun>>;

export const fillBodies = (page: string, bodies: Bodies): string =>
  fillSection(page, 'bodies', Object.values(bodies).map(formatBodies).join('\n\n'));

export function formatBodies({ date, commit, machine, node, load, transfers, events }: BodiesRun): string {
  const transferRows = transfers.map(({ server, what, peakMiB, cpuSecondsPerGiB, mibPerSecond }) => [
    `${what}: ${server}`,
    String(Math.round(peakMiB)),
    cpuSecondsPerGiB.toFixed(2),
    String(Math.round(mibPerSecond)),
  ]);
  const eventRows = events.map(({ server, streams, kibPerStream, cpuPerEvent, p50, p99 }) => [
    `${streams} streams of events: ${server}`,
    kibPerStream.toFixed(1),
    cpuPerEvent.toFixed(1),
    p50.toFixed(1),
    p99.toFixed(1),
  ]);
  return [
    `Node ${node.replace(/^v/, '')}, commit ${commit}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(['bodies', 'most memory, MiB', 'CPU, s per GiB', 'MiB/s'], transferRows),
    table(['streams', 'memory of one, KiB', 'CPU of an event in one, µs', 'p50 of other requests, ms', 'p99, ms'], eventRows),
  ].join('\n\n');
}
