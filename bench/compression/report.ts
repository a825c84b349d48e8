/** The results of `npm run bench -- compression` as a section of bench/results/README.md. */
import { fileURLToPath } from 'node:url';
import { formatNumber } from '../requests/report/chart.ts';
import type { Run } from '../requests/report/results.ts';
import { fillSection, table } from '../support/page-section.ts';
import type { CompressionFigure } from './measure.ts';

export const COMPRESSION_RESULTS = fileURLToPath(new URL('../results/compression.json', import.meta.url));

export type CompressionRun = Pick<Run, 'date' | 'commit' | 'machine' | 'node'> & {
  /** The load average of the machine at the end, over five minutes. */
  readonly load: number;
  readonly figures: readonly CompressionFigure[];
};

/** By major version of Node. */
export type Compression = Readonly<Record<string, CompressionRun>>;

export const fillCompression = (page: string, compression: Compression): string =>
  fillSection(page, 'compression', Object.values(compression).map(formatCompression).join('\n\n'));

export function formatCompression({ date, commit, machine, node, load, figures }: CompressionRun): string {
  const rows = figures.map(({ by, size, coding, bytes, cpu }) => {
    const plain = figures.find((figure) => figure.by === by && figure.size === size && figure.coding === 'identity');
    const added = plain === undefined || coding === 'identity' ? '' : `+${formatNumber(cpu - plain.cpu)}`;
    const share = plain === undefined ? '' : `${((bytes / plain.bytes) * 100).toFixed(0)} %`;
    return [`${size} KB, ${coding}, ${by}`, String(bytes), share, formatNumber(cpu), added];
  });
  return [
    `Node ${node.replace(/^v/, '')}, commit ${commit}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, load average ${load.toFixed(1)} in the five minutes before the end.`,
    table(['body, coding, compressed by', 'bytes', 'of the body', 'CPU of a request, µs', 'for the coding, µs'], rows),
  ].join('\n\n');
}
