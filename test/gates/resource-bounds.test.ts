/** Each bound in docs/how-to/operating.md names a test that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = readFileSync('docs/how-to/operating.md', 'utf8');
const section = page.slice(page.indexOf('## What a request, a connection, a caller and a process can take')).split('\n## ')[0] ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2);

/** The rows whose last cell names no file of tests. */
const untested = (lines: readonly string[]) =>
  lines.filter((line) => {
    const file = /`([\w/.-]+\.(?:test|slow)\.ts)` *\|$/.exec(line)?.[1];
    return file === undefined || !existsSync(file);
  });

test('each bound of a request, a connection, a caller and a process has a test', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(untested(rows)).toEqual([]);
});

test.each(['| a process | threads | 4 | | waits | |', '| a process | threads | 4 | | waits | `test/threads.test.ts` |'])(
  'a bound without a test is found: %s',
  (row) => {
    expect(untested([row])).toEqual([row]);
  },
);
