/** The gate of mutants: it tells those that tests notice from those that survive, leaves the checkout alone, and fails on a broken table. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { checkMutants, type MutantResult } from '../mutants/check-mutants.ts';
import { mutate, type MutatedFile, type Mutant } from '../mutants/mutant.ts';
import { copyTree, REPOSITORY } from '../mutants/tree-copy.ts';

const FILE = 'packages/server/src/limits/windows.ts';
const TEST = 'packages/server/test/limits/windows.test.ts';
const IGNORED: Mutant = ['the limit of the day is ignored', ' && usedAt(day, now) + cost <= quota.day)', ')'];
const EQUIVALENT: Mutant = ['nothing', 'ends > now ? used : 0', 'now < ends ? used : 0'];

const check = (mutants: readonly Mutant[], given: Partial<MutatedFile> = {}): Promise<MutantResult[]> =>
  checkMutants([{ file: FILE, tests: [TEST], mutants, ...given }], { root: REPOSITORY, jobs: 1 });

test('a mutant is caught if its tests fail, and has survived if they pass; the checkout is not changed', async () => {
  const before = readFileSync(FILE, 'utf8');
  expect(await check([IGNORED, EQUIVALENT])).toMatchObject([
    { file: FILE, breaks: 'the limit of the day is ignored', isCaught: true },
    { file: FILE, breaks: 'nothing', isCaught: false },
  ]);
  expect(readFileSync(FILE, 'utf8')).toBe(before);
});

test.each<[what: string, mutants: Mutant[], given: Partial<MutatedFile>, message: string]>([
  ['whose text is gone', [['x', 'no such text', 'y']], {}, '"x": this text occurs 0 times'],
  ['that does not parse', [['x', 'ends > now ? used : 0', 'ends > now ? used']], {}, 'Expected ":"'],
  ['whose tests are not there', [IGNORED], { tests: ['packages/server/test/missing.test.ts'] }, 'the tests do not pass without a mutant'],
])('a mutant %s is an error', async (_, mutants, given, message) => {
  await expect(check(mutants, given)).rejects.toThrow(message);
});

test('a run names the test file that has noticed, and what does not end has noticed nothing', async () => {
  const copy = copyTree(REPOSITORY);
  try {
    const source = mutate(readFileSync(FILE, 'utf8'), IGNORED);
    const noticed = await copy.withFile(FILE, source, () => copy.test([TEST], 120_000));
    expect([noticed.outcome, ...noticed.failed]).toEqual(['failed', TEST]);
    const endless = `import { test } from '@jest/globals'; test('never ends', () => new Promise(() => undefined), 50);`;
    expect((await copy.withFile(TEST, endless, () => copy.test([TEST], 120_000))).outcome).toBe('timed out');
  } finally {
    copy.remove();
  }
});
