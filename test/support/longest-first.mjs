/** Jest's sequencer: what takes longest starts first, so that no worker is left with it alone. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** How long each test file took when it ran last, in ms. */
const TIMES = join(ROOT, '.cache', 'test-times.json');

/**
 * By the time that they take. The first makes the project that others copy, and first-steps-accounts one with accounts:
 * files that need neither run beside them, so that no worker waits.
 */
const LONGEST = [
  'new-project.slow.ts',
  'tutorial.slow.ts',
  'dev.slow.ts',
  'new-property.slow.ts',
  'first-steps.slow.ts',
  'first-steps-accounts.slow.ts',
  'add-resource.slow.ts',
  'add-operation.slow.ts',
  'new-accounts.slow.ts',
  'pgbouncer.slow.ts',
  'gates.slow.ts',
  'tarballs.slow.ts',
  'python.slow.ts',
  'template.slow.ts',
  'workers.slow.ts',
  'check-breaking.slow.ts',
  'process.slow.ts',
  'mounted.slow.ts',
  'prism.slow.ts',
  'walk.test.ts',
  'client-types.test.ts',
];

const rank = ({ path }) => {
  const i = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  if (i !== -1) return i;
  return path.endsWith('.slow.ts') ? LONGEST.length : LONGEST.length + 1;
};

/** What jest calls: https://jestjs.io/docs/configuration#testsequencer-string */
export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
  }
  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_, i) => i % shardCount === shardIndex - 1);
  }
  allFailedTests(tests) {
    return tests;
  }
  /** For `changed-tests.mjs`. */
  cacheResults(tests, { testResults }) {
    const times = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {};
    for (const { testFilePath, perfStats } of testResults) times[relative(ROOT, testFilePath)] = perfStats.runtime;
    try {
      mkdirSync(dirname(TIMES), { recursive: true });
      writeFileSync(TIMES, JSON.stringify(times));
    } catch {
      // A checkout of another user.
    }
  }
}
