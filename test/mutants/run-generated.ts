/**
 * `npm run ts -- test/mutants/run.ts generated [PART...]`: tries the generated mutants of the packages and of the pet store, or of some parts, and fails if less
 * than 95 % of a part are killed, without those that survivors.json says to change nothing or to be noticed by a timeout only; one that is there and
 * is killed has to go.
 * `--record` writes the figures to README.md, `--count=N` tries N of each part, `--near` runs only the tests of the parts and of the
 * pet store, and `--fresh` forgets what earlier runs have found: which lines each test runs, and which mutants are killed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTemplate } from '../support/template.ts';
import { collectCoverage, isNearAny, listTests } from './coverage.ts';
import { figuresOf, recordFigures, shareKilled, type PartFigures, type Survivor } from './figures.ts';
import { selectMutants } from './select.ts';
import { copyTree, killRuns, REPOSITORY } from './tree-copy.ts';
import { type GeneratedResult, tryMutants } from './try-generated.ts';

/** How many mutants of each part are tried. */
const COUNTS: Readonly<Record<string, number>> = {
  server: 60,
  contract: 60,
  specwright: 60,
  accounts: 40,
  'openapi-compare': 40,
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
const SURVIVORS = JSON.parse(readFileSync(join(REPOSITORY, 'test/mutants/survivors.json'), 'utf8')) as Readonly<Record<string, Survivor>>;

export async function runGenerated(args: readonly string[]): Promise<boolean> {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const count = args.map((arg) => /^--count=(\d+)$/.exec(arg)?.[1]).find((found) => found !== undefined);
  const unknown = names.find((name) => COUNTS[name] === undefined);
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(COUNTS).join(', ')}`);
  makeSharedFolder();
  const server = await startTemplate();
  const copies = [copyTree(REPOSITORY), copyTree(REPOSITORY)];
  const figures: PartFigures[] = [];
  let cleaned: Promise<void> | undefined;
  const isFresh = args.includes('--fresh');
  const cleanUp = async (): Promise<void> => {
    killRuns();
    for (const copy of copies) copy.remove();
    removeSharedFolder();
    await server.stop();
  };
  // Run by npm in a terminal, it gets SIGINT twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void (cleaned ??= cleanUp().finally(() => process.exit(1))));
  try {
    const tests = listTests(REPOSITORY).filter((test) => !args.includes('--near') || isNearAny(test, names));
    const coverage = await collectCoverage(REPOSITORY, tests, isFresh);
    for (const part of names.length > 0 ? names : Object.keys(COUNTS)) {
      const mutants = selectMutants(REPOSITORY, part, Number(count ?? COUNTS[part]));
      const isTimeoutOnly = (id: string): boolean => SURVIVORS[id]?.kind === 'timeout-only';
      const results = await tryMutants(mutants, { root: REPOSITORY, copies, coverage, isFresh, isTimeoutOnly, onResult: print });
      const outcomes = results.map(({ mutant, outcome }) => ({ id: mutant.id, outcome }));
      figures.push(figuresOf(part, outcomes, SURVIVORS));
    }
  } finally {
    await (cleaned ??= cleanUp());
  }
  if (args.includes('--record')) recordFigures(figures);
  return report(figures);
}

const print = ({ outcome, mutant: { id, kind, file, line, text, becomes } }: GeneratedResult): void =>
  console.log(`${outcome.padEnd(11)} ${id} ${kind} ${file}:${line}: ${text} => ${becomes}`);

function report(figures: readonly PartFigures[]): boolean {
  let isGood = true;
  for (const one of figures) {
    const { part, killed, equivalent, timeoutOnly, unnamed, needless } = one;
    const share = shareKilled(one);
    console.log(
      `${part}: ${killed} of ${killed + unnamed.length} killed (${Math.floor(share * 100)} %), beside ${equivalent} that change nothing and ${timeoutOnly} with which tests do not end`,
    );
    if (share < MIN_KILLED || needless.length > 0) isGood = false;
    if (unnamed.length > 0)
      console.error(`${part}: write a test for each, or the reason in test/mutants/survivors.json: ${unnamed.join(', ')}`);
    if (needless.length > 0) console.error(`${part}: killed, so remove them from test/mutants/survivors.json: ${needless.join(', ')}`);
  }
  return isGood;
}
