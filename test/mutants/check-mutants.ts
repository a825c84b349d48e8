/** Runs the tests of each mutant: one that they pass with has survived. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { mutate, type MutatedFile, type Mutant } from './mutant.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

/** A mutant that lets the tests hang is not one that they have noticed. */
const TIMEOUT_MS = 180_000;

export interface MutantResult {
  readonly file: string;
  readonly breaks: string;
  readonly isCaught: boolean;
  readonly seconds: number;
}

export interface CheckOptions {
  readonly root: string;
  /** How many mutants are tried at once, each in its copy of the tree. */
  readonly jobs: number;
  readonly onResult?: (result: MutantResult) => void;
}

interface Job extends Pick<MutatedFile, 'file' | 'tests'> {
  readonly mutant: Mutant;
  readonly source: string;
}

/**
 * Tries each mutant. The environment must name the test server (`startTestServer`).
 *
 * @throws Error if a mutant does not fit its file or does not parse, or if the tests fail without a mutant.
 */
export async function checkMutants(files: readonly MutatedFile[], { root, jobs, onResult }: CheckOptions): Promise<MutantResult[]> {
  const queue = files.flatMap((one) => jobsOf(one, readFileSync(join(root, one.file), 'utf8')));
  const copies = Array.from({ length: Math.min(jobs, queue.length) }, () => copyTree(root));
  const results: MutantResult[] = [];
  try {
    const [first] = copies;
    if (first !== undefined) await assertTestsPass(first, [...new Set(files.flatMap(({ tests }) => tests))]);
    await Promise.all(
      copies.map(async (copy) => {
        for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
          const result = await tryMutant(copy, job);
          results.push(result);
          onResult?.(result);
        }
      }),
    );
  } finally {
    for (const copy of copies) copy.remove();
  }
  return results;
}

function jobsOf({ file, tests, mutants }: MutatedFile, source: string): Job[] {
  return mutants.map((mutant) => {
    const mutated = mutate(source, mutant);
    // What does not parse would fail every test, and prove nothing.
    transformSync(mutated, { loader: 'ts', logLevel: 'silent' });
    return { file, tests, mutant, source: mutated };
  });
}

async function assertTestsPass(copy: TreeCopy, tests: readonly string[]): Promise<void> {
  const { outcome, output } = await copy.test(tests, TIMEOUT_MS * 4);
  if (outcome !== 'passed') throw new Error(`the tests do not pass without a mutant (${outcome}):\n${output}`);
}

async function tryMutant(copy: TreeCopy, { file, tests, mutant: [breaks], source }: Job): Promise<MutantResult> {
  const start = performance.now();
  const { outcome } = await copy.withFile(file, source, () => copy.test(tests, TIMEOUT_MS));
  return { file, breaks, isCaught: outcome === 'failed', seconds: (performance.now() - start) / 1000 };
}
