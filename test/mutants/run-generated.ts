/**
 * `npm run test:mutants -- generated [PART...]`: tries the generated mutants of the packages and of the pet store, or of some parts, and fails if less
 * than 95 % of a part are killed. Those that live are in survivors.json with the reason; one that is there and is killed has to go.
 * `--record` writes the figures to docs/mutants.md, `--count=N` tries N of each part, and `--fresh` forgets what earlier runs have found: which
 * lines each test runs, and which mutants are killed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTemplate } from '../support/template.ts';
import { collectCoverage, listTests } from './coverage.ts';
import { recordFigures, type PartFigures } from './figures.ts';
import { selectMutants } from './select.ts';
import { copyTree, REPOSITORY } from './tree-copy.ts';
import { type GeneratedResult, tryMutants } from './try-generated.ts';

/** How many mutants of each part are tried. */
const COUNTS: Readonly<Record<string, number>> = {
  server: 90,
  contract: 60,
  specwright: 60,
  accounts: 40,
  postgres: 35,
  'pet store': 35,
  'embedded-postgres': 12,
};
const MIN_KILLED = 0.95;

const { makeSharedFolder, removeSharedFolder } = (await import(new URL('../support/shared-folder.mjs', import.meta.url).href)) as Record<
  'makeSharedFolder' | 'removeSharedFolder',
  () => void
>;

/** Why a mutant lives, by its id. */
const SURVIVORS = JSON.parse(readFileSync(join(REPOSITORY, 'test/mutants/survivors.json'), 'utf8')) as Readonly<Record<string, string>>;

export async function runGenerated(args: readonly string[]): Promise<boolean> {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const count = args.map((arg) => /^--count=(\d+)$/.exec(arg)?.[1]).find((found) => found !== undefined);
  const unknown = names.find((name) => COUNTS[name] === undefined);
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(COUNTS).join(', ')}`);
  makeSharedFolder();
  const server = await startTemplate();
  const copies = [copyTree(REPOSITORY), copyTree(REPOSITORY)];
  const figures: PartFigures[] = [];
  const isFresh = args.includes('--fresh');
  try {
    const coverage = await collectCoverage(REPOSITORY, listTests(REPOSITORY), isFresh);
    for (const part of names.length > 0 ? names : Object.keys(COUNTS)) {
      const mutants = selectMutants(REPOSITORY, part, Number(count ?? COUNTS[part]));
      figures.push(figuresOf(part, await tryMutants(mutants, { root: REPOSITORY, copies, coverage, isFresh, onResult: print })));
    }
  } finally {
    for (const copy of copies) copy.remove();
    removeSharedFolder();
    await server.stop();
  }
  if (args.includes('--record')) recordFigures(figures);
  return report(figures);
}

const print = ({ outcome, mutant: { id, kind, file, line, text, becomes } }: GeneratedResult): void =>
  console.log(`${outcome.padEnd(11)} ${id} ${kind} ${file}:${line}: ${text} => ${becomes}`);

function figuresOf(part: string, results: readonly GeneratedResult[]): PartFigures {
  const alive = results.filter(({ outcome }) => outcome !== 'killed').map(({ mutant }) => mutant.id);
  return {
    part,
    tried: results.length,
    killed: results.length - alive.length,
    timedOut: results.filter(({ outcome }) => outcome === 'timed out').length,
    unnamed: alive.filter((id) => SURVIVORS[id] === undefined),
    needless: results
      .filter(({ mutant, outcome }) => outcome === 'killed' && SURVIVORS[mutant.id] !== undefined)
      .map(({ mutant }) => mutant.id),
  };
}

function report(figures: readonly PartFigures[]): boolean {
  let isGood = true;
  for (const { part, tried, killed, timedOut, unnamed, needless } of figures) {
    console.log(
      `${part}: ${killed} of ${tried} killed (${Math.floor((killed / tried) * 100)} %), ${timedOut} timed out, ${unnamed.length} live without a reason`,
    );
    if (killed < tried * MIN_KILLED || unnamed.length > 0 || needless.length > 0) isGood = false;
    if (unnamed.length > 0)
      console.error(`${part}: write a test for each, or the reason in test/mutants/survivors.json: ${unnamed.join(', ')}`);
    if (needless.length > 0) console.error(`${part}: killed, so remove them from test/mutants/survivors.json: ${needless.join(', ')}`);
  }
  return isGood;
}
