/** Mutants run in a copy of the tree: the tests that notice one are named, and one that does not end is not noticed. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { copyTree, REPOSITORY } from '../mutants/tree-copy.ts';

const FILE = 'packages/server/src/limits/windows.ts';
const TEST = 'packages/server/test/limits/windows.test.ts';
const [TEXT, MUTANT] = [' && usedAt(day, now) + cost <= quota.day)', ')'];

test('a run names the test file that has noticed, and what does not end has noticed nothing', async () => {
  const copy = copyTree(REPOSITORY);
  try {
    const source = readFileSync(FILE, 'utf8').replace(TEXT, MUTANT);
    expect(source).not.toBe(readFileSync(FILE, 'utf8'));
    const noticed = await copy.withFile(FILE, source, () => copy.test([TEST], 120_000));
    expect([noticed.outcome, ...noticed.failed]).toEqual(['failed', TEST]);
    const endless = `import { test } from '@jest/globals'; test('never ends', () => new Promise(() => undefined), 50);`;
    expect((await copy.withFile(TEST, endless, () => copy.test([TEST], 120_000))).outcome).toBe('timed out');
  } finally {
    copy.remove();
  }
});
