/** The results of `npm run bench -- http2` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import { formatNumber } from '../requests/report/chart.ts';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';

export const HTTP2_RESULTS = fileURLToPath(new URL('../results/http2.json', import.meta.url));

export interface Http2Figure {
  readonly server: string;
  /** How requests came. */
  readonly transport: string;
  /** CPU of the server's process for a request, in µs: the least of all rounds. */
  readonly cpu: number;
  /** The most of all rounds. */
  readonly perSecond: number;
}

export type Http2Run = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly figures: readonly Http2Figure[];
};

/** By major version of Node. */
export type Http2 = Readonly<Record<string, Http2Run>>;

export const fillHttp2 = (page: string, http2: Http2): string =>
  fillSection(page, 'http2', Object.values(http2).map(formatHttp2).join('\n\n'));

export function formatHttp2({ date, commit, machine, node, load, figures }: Http2Run): string {
  const rows = figures.map(({ server, transport, cpu, perSecond }) => {
    const first = figures.find((figure) => figure.server === server) as Http2Figure;
    return [`${server}, ${transport}`, formatNumber(cpu), (cpu / first.cpu).toFixed(1), String(perSecond)];
  });
  return [
    `Node ${node.replace(/^v/, '')}, commit ${commit}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(['server, transport', 'CPU of a request, µs', 'times HTTP/1.1', 'per second'], rows),
  ].join('\n\n');
}
