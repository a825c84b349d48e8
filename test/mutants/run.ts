/**
 * `npm run test:mutants [-- PART...]`: tries the written mutants of the files whose path contains a part, or all; fails if too many survive.
 * `-- generated` tries those that are made by kind (run-generated.ts).
 */
import { availableParallelism } from 'node:os';
import { startTemplate } from '../support/template.ts';
import { checkMutants, type MutantResult } from './check-mutants.ts';
import { MUTATED_FILES } from './mutants.ts';
import { runGenerated } from './run-generated.ts';
import { REPOSITORY } from './tree-copy.ts';

/** The share of mutants that has to be caught. */
const MIN_CAUGHT = 0.95;

const print = ({ isCaught, seconds, file, breaks }: MutantResult) =>
  console.log(`${isCaught ? 'caught  ' : 'SURVIVED'} ${seconds.toFixed(1).padStart(5)} s  ${file}: ${breaks}`);

async function runWritten(parts: readonly string[]): Promise<boolean> {
  const files = MUTATED_FILES.filter(({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (files.length === 0) throw new Error(`no mutated file has ${parts.join(' or ')} in its path: see test/mutants/`);

  const start = performance.now();
  const server = await startTemplate();
  const results = await checkMutants(files, { root: REPOSITORY, jobs: Math.min(4, availableParallelism()), onResult: print }).finally(() =>
    server.stop(),
  );

  const survivors = results.filter(({ isCaught }) => !isCaught);
  const caught = results.length - survivors.length;
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  console.log(`\n${caught} of ${results.length} mutants caught (${Math.floor((caught / results.length) * 100)} %) in ${minutes} min`);
  for (const { file, breaks } of survivors) console.log(`survived: ${file}: ${breaks}`);
  const isGood = caught >= results.length * MIN_CAUGHT;
  if (!isGood) console.error(`at least ${MIN_CAUGHT * 100} % have to be caught: write a test that fails with each of the survivors`);
  return isGood;
}

const [first, ...rest] = process.argv.slice(2);
const isGood = first === 'generated' ? await runGenerated(rest) : await runWritten(process.argv.slice(2));
if (!isGood) process.exitCode = 1;
