/** `--check` and `--set-baseline`: ratios of two servers in one run, compared with those that were recorded. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { formatted, resultFile } from './report.ts';

/** What this server takes of CPU, divided by what another one takes for the same in the same run. Less is better. */
export interface Ratio {
  /** What is measured, beside whom. */
  readonly name: string;
  readonly value: number;
  /** How much more than the baseline passes: 0.15 is 15 %. */
  readonly slack: number;
}

/** The ratios of a scenario, by their names. */
export type Baseline = Readonly<Record<string, number>>;

/** By scenario and major version of Node. */
type Baselines = Readonly<Record<string, Readonly<Record<string, Baseline>>>>;

interface Measured {
  /** The version that ran the servers. */
  readonly node: string;
  readonly ratios: readonly Ratio[];
}

const FILE = resultFile('baseline.json');
const readBaselines = (): Baselines => (existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Baselines) : {});
const major = (node: string): string => /^v?(\d+)/.exec(node)?.[1] ?? node;

/** @returns a line for each ratio, and how the worst and the best stand. A ratio without a baseline is worse, as are none. */
export function compareRatios(ratios: readonly Ratio[], baseline: Baseline): { lines: string[]; isWorse: boolean; isBetter: boolean } {
  const compared = ratios.map(({ name, value, slack }) => {
    const before = baseline[name] ?? NaN;
    const change = value / before - 1;
    return { name, value, before, change, isWorse: !(change <= slack), isBetter: change < -slack };
  });
  return {
    lines: compared.map(({ name, value, before, change, isWorse }) => {
      const percent = `${change < 0 ? '' : '+'}${(change * 100).toFixed(0)} %`;
      return `${isWorse ? 'worse' : 'ok   '}  ${name.padEnd(64)} ${value.toFixed(2)}, baseline ${before.toFixed(2)} (${percent})`;
    }),
    isWorse: compared.length === 0 || compared.some(({ isWorse }) => isWorse),
    isBetter: compared.some(({ isBetter }) => isBetter),
  };
}

/**
 * A neighbour on the machine can slow one server down for a whole run; a regression is there again, so what is worse is measured twice.
 *
 * @throws Error if a ratio is worse than its baseline allows, or there is no baseline for this version of Node.
 */
export async function check(scenario: string, measure: () => Promise<Measured>, baselines: Baselines = readBaselines()): Promise<void> {
  const compare = async () => {
    const { node, ratios } = await measure();
    const baseline = baselines[scenario]?.[major(node)];
    if (baseline === undefined)
      throw new Error(
        `There is no baseline for Node ${major(node)}. Record one: npm run bench -- ${scenario} --set-baseline, with that version`,
      );
    return compareRatios(ratios, baseline);
  };
  let compared = await compare();
  if (compared.isWorse) compared = await compare();
  console.log(compared.lines.join('\n'));
  if (compared.isWorse)
    throw new Error(
      `A ratio is worse than its baseline allows. Find out where: npm run bench -- requests --profile DIR. If it has to be: npm run bench -- ${scenario} --set-baseline`,
    );
  if (compared.isBetter) console.log(`Better than the baseline. Keep it: npm run bench -- ${scenario} --set-baseline`);
}

/** Records the ratios of now. */
export async function setBaseline(scenario: string, measure: () => Promise<Measured>): Promise<void> {
  const { node, ratios } = await measure();
  const baseline = Object.fromEntries(ratios.map(({ name, value }) => [name, Math.round(value * 1000) / 1000]));
  const all = readBaselines();
  const changed: Baselines = { ...all, [scenario]: { ...all[scenario], [major(node)]: baseline } };
  writeFileSync(FILE, await formatted(FILE, JSON.stringify(changed)));
  console.log(`Node ${node}: ${JSON.stringify(baseline)}`);
}
