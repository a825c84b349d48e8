/** The page about the results: its tables and charts are made from bench/results, its words are written by hand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { fillSection, table } from '../../support/page-section.ts';
import { drawChart, formatNumber, THEMES, type Chart, type Theme } from './chart.ts';
import { OPERATION_TITLES, OPERATIONS, type Operation } from '../operations.ts';
import { writeFormatted, type Figure, type Results, type Run } from './results.ts';
import { BARE, HARNESSES, type Harness } from '../servers/servers.ts';
import { formatShare, HARNESS_TITLES, logShare, titleOf } from './table.ts';

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
export const PAGE = join(DOCS, 'benchmarks.md');
/** The tables of the other measurements. */
export const RESULTS_PAGE = fileURLToPath(new URL('../../results/README.md', import.meta.url));
export const CHARTS = join(DOCS, 'benchmarks');

/** Writes the page and its charts. @throws Error if there are no results yet. */
export async function writeReport(results: Results): Promise<void> {
  await writeFormatted(PAGE, fillPage(readFileSync(PAGE, 'utf8'), results));
  await writeFormatted(RESULTS_PAGE, fillOtherVersions(readFileSync(RESULTS_PAGE, 'utf8'), results));
  mkdirSync(CHARTS, { recursive: true });
  for (const [name, svg] of drawCharts(results)) writeFileSync(join(CHARTS, name), svg);
}

/** As the page would be written, for a comparison with what is committed. */
export const formatPage = async (page: string): Promise<string> => format(page, { ...(await resolveConfig(PAGE)), filepath: PAGE });

/** The page with the figures of the oldest version of Node. */
export function fillPage(page: string, results: Results): string {
  const [first] = Object.values(results);
  if (first === undefined) throw new Error('bench/results has no results yet: npm run bench -- requests --save');
  return fillSection(page, 'figures', sectionOf(first, true));
}

/** The page of results with the figures of the other versions of Node. */
export function fillOtherVersions(page: string, results: Results): string {
  const [, ...others] = Object.values(results);
  return fillSection(page, 'requests', others.map((run) => sectionOf(run, false)).join('\n\n'));
}

/** Those of the page, by file name. */
export function drawCharts(results: Results): Map<string, string> {
  const charts = new Map<string, string>();
  for (const run of Object.values(results).slice(0, 1)) {
    for (const harness of HARNESSES) {
      const chart = chartOf(run, harness);
      if (chart === undefined) continue;
      for (const theme of Object.keys(THEMES) as Theme[]) charts.set(fileOf(run, harness, theme), drawChart(chart, theme));
    }
  }
  return charts;
}

const nodeName = ({ node }: Run) => `Node ${node.replace(/^v/, '')}`;
const fileOf = (run: Run, harness: Harness, theme: Theme) => `${harness}-node${/\d+/.exec(run.node)?.[0]}-${theme}.svg`;
const ofOperation = (figures: readonly Figure[], operation: Operation) => figures.filter((figure) => figure.operation === operation);

function chartOf(run: Run, harness: Harness): Chart | undefined {
  const figures = run.figures[harness];
  if (figures === undefined) return undefined;
  const groups = OPERATIONS.map((operation) => ({
    title: OPERATION_TITLES[operation],
    bars: ofOperation(figures, operation)
      .map(({ server, cpu }) => ({ label: titleOf(server), value: cpu, isOwn: server.startsWith('petstore') }))
      .sort((a, b) => a.value - b.value),
  })).filter(({ bars }) => bars.length > 0);
  return {
    title: `CPU µs for a request, ${harness === 'memory' ? 'in memory' : harness === 'loopback' ? 'over loopback' : 'with PostgreSQL'}`,
    subtitle: `${nodeName(run)}, ${run.machine.cores} × ${run.machine.cpu}, ${run.date.slice(0, 10)}. Less is better.`,
    groups,
  };
}

function sectionOf(run: Run, hasPictures: boolean): string {
  const { machine, versions } = run;
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const parts = HARNESSES.flatMap((harness) => {
    const figures = run.figures[harness];
    if (figures === undefined) return [];
    return [`### ${nodeName(run)}, ${HARNESS_TITLES[harness]}`, ...(hasPictures ? [pictureOf(run, harness)] : []), tableOf(figures)];
  });
  return [
    `## ${nodeName(run)}`,
    `Commit ${run.commit}, ${run.date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}; ${packages.join(', ')}.`,
    ...parts,
  ].join('\n\n');
}

const pictureOf = (run: Run, harness: Harness) => `<picture>
<source media="(prefers-color-scheme: dark)" srcset="benchmarks/${fileOf(run, harness, 'dark')}">
<img alt="${HARNESS_TITLES[harness]}" src="benchmarks/${fileOf(run, harness, 'light')}">
</picture>`;

function tableOf(figures: readonly Figure[]): string {
  const operations = OPERATIONS.filter((operation) => ofOperation(figures, operation).length > 0);
  const rates = figures.some(({ perSecond }) => perSecond !== undefined);
  const logs = figures.some((figure) => logShare(figures, figure) !== undefined);
  const titles = operations.flatMap((operation) => [
    `${OPERATION_TITLES[operation]}, µs`,
    'times node:http',
    ...(logs ? ['of it the log'] : []),
    ...(rates ? ['per second'] : []),
  ]);
  const servers = [...new Set(figures.map(({ server }) => server))];
  const cellsOf = (server: string, operation: Operation): string[] => {
    const of = (id: string) => figures.find((figure) => figure.server === id && figure.operation === operation);
    const [figure, bare] = [of(server), of(BARE)];
    if (figure === undefined) return [];
    const { cpu, perSecond } = figure;
    const times = bare === undefined ? '' : (cpu / bare.cpu).toFixed(1);
    const log = logs ? [formatShare(logShare(figures, figure))] : [];
    return [formatNumber(cpu), times, ...log, ...(rates ? [String(perSecond ?? '')] : [])];
  };
  return table(
    ['', ...titles],
    servers.map((server) => [titleOf(server), ...operations.flatMap((operation) => cellsOf(server, operation))]),
  );
}
