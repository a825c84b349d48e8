/** Tests that the contract walk of a project reports each mutant of a noun that `add-resource` has made. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { MUTANTS, OPERATIONS } from './resource-mutants.ts';

/** Of the process, in bytes. */
const MAX_OUTPUT = 16 * 1024 * 1024;
/** Of making the project, which may install packages, and of all walks. */
const TIMEOUT_MS = 20 * 60_000;

export interface MutantsOptions {
  /** Makes the project, with the noun. @returns its folder. */
  readonly make: () => Promise<string>;
  /** The file with the walk, from the root of the project. */
  readonly walk: string;
  /** More arguments of Node. */
  readonly nodeArgs?: readonly string[];
}

interface WalkResult {
  /** How many tests there were. */
  readonly count: number;
  readonly failed: readonly { readonly test: string; readonly message: string }[];
}

/** Declares a test for each mutant, and one for the noun without any. */
export function testMutants({ make, walk, nodeArgs = [] }: MutantsOptions): void {
  let results: readonly WalkResult[];
  beforeAll(async () => {
    results = await walkMutants(await make(), walk, nodeArgs);
  }, scaleTimeout(TIMEOUT_MS));

  test('the noun as it was written passes', () => {
    expect(results[0]?.failed).toEqual([]);
    // Six operations, each with a status or more, with the values of its request and with rules.
    expect(results[0]?.count).toBeGreaterThan(OPERATIONS.length * 4);
  });

  test.each(MUTANTS.map((mutant, i) => ({ ...mutant, i })))('$name', ({ caughtBy, i }) => {
    expect(results[i + 1]?.failed.map((one) => one.test)).toContainEqual(expect.stringContaining(caughtBy));
  });
}

/** Runs the walk without a mutant and with each, in one process. */
async function walkMutants(project: string, walk: string, nodeArgs: readonly string[]): Promise<WalkResult[]> {
  const mutants: { file: string; replacement: string }[] = [];
  for (const [i, { name, file, from, to }] of MUTANTS.entries()) {
    const source = await readFile(join(project, file), 'utf8');
    const text = source.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to);
    if (text === source) throw new Error(`${name}: ${file} has no ${String(from)}`);
    const replacement = file.replace(/\.ts$/, `.mutant-${i}.ts`);
    await writeFile(join(project, replacement), text);
    mutants.push({ file, replacement });
  }
  const args = [
    ...nodeArgs,
    '--import',
    'tsx',
    resolve('test/support/edits/mutant-process.mjs'),
    JSON.stringify({ walk, operations: OPERATIONS, mutants }),
  ];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project, env, maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout) as WalkResult[];
}
