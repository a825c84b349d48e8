/** `--check` and `--set-baseline`: measures what the gate compares, and says how it stands. */
import { readFileSync } from 'node:fs';
import {
  BASELINE,
  baselineFor,
  CHECKED_SERVERS,
  compareRatios,
  isBetter,
  isWorse,
  ratiosOf,
  type Baseline,
  type Comparison,
} from './report/check.ts';
import { compile } from './compile.ts';
import { measureInMemory } from './in-memory.ts';
import { SPEC } from './measure-all.ts';
import { OPERATION_TITLES } from './operations.ts';
import { copyPeers } from './servers/peers.ts';
import { createProgress } from './progress.ts';
import { major, readJson, writeFormatted, type Figure, type Run } from './report/results.ts';
import { withServers } from './servers/running-server.ts';
import { serversOf } from './servers/servers.ts';

const ROUNDS = 12;
const BASELINE_ROUNDS = 25;

interface Measured {
  readonly node: string;
  readonly figures: readonly Figure[];
}

export interface GateOptions {
  /** Figures as `--json` writes them, instead of a measurement. */
  readonly figuresFile?: string | undefined;
  readonly rounds?: number | undefined;
}

/** What the gate needs is of this project's own dependencies: nothing is installed for it. */
async function measure(node: string, rounds: number): Promise<Measured> {
  const progress = createProgress();
  copyPeers();
  await compile();
  const measured = await withServers(serversOf('memory', CHECKED_SERVERS), { node, env: { SPEC } }, async (servers) => ({
    node: servers[0]?.node ?? '',
    figures: await measureInMemory(servers, { rounds, onRound: (round) => progress.show(`round ${round + 1} of ${rounds}`) }),
  }));
  progress.clear();
  return measured;
}

function readFigures(file: string): Measured {
  const { node, figures } = JSON.parse(readFileSync(file, 'utf8')) as Run;
  return { node, figures: figures.memory ?? [] };
}

/** @returns the exit code: 1 if a ratio is worse than the slack allows, in a second measurement too. */
export async function check(node: string, { figuresFile, rounds = ROUNDS }: GateOptions): Promise<number> {
  const all = readJson<Baseline>(BASELINE, {});
  const compare = async (): Promise<Comparison[]> => {
    const { node: version, figures } = figuresFile === undefined ? await measure(node, rounds) : readFigures(figuresFile);
    return compareRatios(ratiosOf(figures), baselineFor(all, version));
  };
  let comparisons = await compare();
  // A neighbour on the machine can slow one server down for a whole run; a regression is there again.
  if (figuresFile === undefined && comparisons.some(isWorse)) comparisons = await compare();

  for (const comparison of comparisons) console.log(formatComparison(comparison));
  const worse = comparisons.filter(isWorse);
  if (worse.length > 0) {
    console.error(
      `A request costs over ${Math.min(...worse.map(({ slack }) => slack)) * 100} % more than the baseline. Find out where: npm run bench -- profile. If it has to be: npm run bench -- requests --set-baseline`,
    );
    return 1;
  }
  if (comparisons.some(isBetter)) console.log('Better than the baseline. Keep it: npm run bench -- requests --set-baseline');
  return 0;
}

function formatComparison(comparison: Comparison): string {
  const { operation, peer, baseline, measured, change } = comparison;
  const percent = `${change < 0 ? '' : '+'}${(change * 100).toFixed(0)} %`;
  return `${isWorse(comparison) ? 'worse' : 'ok'.padEnd(5)}  ${OPERATION_TITLES[operation].padEnd(20)} ${measured.toFixed(2)} times ${peer}, baseline ${baseline.toFixed(2)} (${percent})`;
}

/** Records the ratios of now. @returns the exit code. */
export async function setBaseline(node: string, { figuresFile, rounds = BASELINE_ROUNDS }: GateOptions): Promise<number> {
  const measured = figuresFile === undefined ? await measure(node, rounds) : readFigures(figuresFile);
  const ratios = ratiosOf(measured.figures);
  await writeFormatted(BASELINE, JSON.stringify({ ...readJson<Baseline>(BASELINE, {}), [major(measured.node)]: ratios }));
  console.log(`Node ${measured.node}: ${JSON.stringify(ratios)}`);
  return 0;
}
