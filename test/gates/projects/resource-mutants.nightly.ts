/** The contract walk of a noun that `add-resource` makes for the pet store reports each mutant of its handlers and its store. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout, withFixture } from 'specwright/testing';
import { copyProject } from '../../support/projects/project.ts';
import { MUTANTS, NOUN, OPERATIONS, PROPERTIES } from '../../support/edits/resource-mutants.ts';

/** Of the process, in bytes. */
const MAX_OUTPUT = 16 * 1024 * 1024;
/** Of all walks. */
const TIMEOUT_MS = 20 * 60_000;

interface WalkResult {
  /** How many tests there were. */
  readonly count: number;
  readonly failed: readonly { readonly test: string; readonly message: string }[];
}

/** Runs the walk without a mutant and with each, in one process. */
async function walkMutants(project: string): Promise<WalkResult[]> {
  const mutants: { file: string; replacement: string }[] = [];
  for (const [i, { name, file, from, to }] of MUTANTS.entries()) {
    const source = await readFile(join(project, file), 'utf8');
    const text = source.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to);
    if (text === source) throw new Error(`${name}: ${file} has no ${String(from)}`);
    const replacement = file.replace(/\.ts$/, `.mutant-${i}.ts`);
    await writeFile(join(project, replacement), text);
    mutants.push({ file, replacement });
  }
  const options = JSON.stringify({ walk: 'test/contract/walk.test.ts', operations: OPERATIONS, mutants });
  const args = ['--conditions=@specwright/source', '--import', 'tsx', resolve('test/support/edits/mutant-process.mjs'), options];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project, env, maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout) as WalkResult[];
}

const project = withFixture(
  () => copyProject({ otherTests: false }),
  (made) => made.remove(),
);
let results: readonly WalkResult[];
beforeAll(async () => {
  expect(await project.specwright('add-resource', NOUN, ...PROPERTIES, '--allow-dirty')).toMatchObject({ code: 0 });
  results = await walkMutants(project.folder);
}, scaleTimeout(TIMEOUT_MS));

test('the noun as it was written passes', () => {
  expect(results[0]?.failed).toEqual([]);
  // Six operations, each with a status or more, with the values of its request and with rules.
  expect(results[0]?.count).toBeGreaterThan(OPERATIONS.length * 4);
});

test.each(MUTANTS.map((mutant, i) => ({ ...mutant, i })))('$name', ({ caughtBy, i }) => {
  expect(results[i + 1]?.failed.map((one) => one.test)).toContainEqual(expect.stringContaining(caughtBy));
});
