/** The edits of bench/results/edits.md can still be made; `npm run bench -- edits` tries them in a development loop. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { EDITS } from '../../support/edits/edits.ts';
import { SITUATIONS } from '../../support/edits/loop-situations.ts';
import { findMisplaced } from '../../support/edits/edit-location.ts';
import { applyChange } from '../../support/edits/try-edits.ts';

test.each(EDITS)('$what', ({ changes, created = {} }) => {
  for (const file of Object.keys(created)) expect(existsSync(file)).toBe(false);
  for (const change of changes) {
    const text = readFileSync(change.file, 'utf8');
    expect(applyChange(text, change)).not.toBe(text);
  }
});

test('there are at least forty, each with a name of its own, and the page has no other', () => {
  const names = [...EDITS, ...SITUATIONS].map(({ what }) => what);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(40);
  const rows = readFileSync('bench/results/edits.md', 'utf8').match(/^\| +\d+ +\|.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  expect(names).toEqual(expect.arrayContaining(rows.map((row) => row.split('|')[2]?.trim())));
});

const FILES = new Map([['src/a.ts', { before: 'a\nb\nc\n', after: 'a\nx\ny\nc\n' }]]);
const TEXTS: Readonly<Record<string, string>> = { 'src/a.ts': 'a\nx\ny\nc\n', 'src/b.ts': 'first\nsecond\n' };

test.each<[string, string, RegExp | undefined, RegExp | undefined]>([
  ['in the edited lines', 'fix src/a.ts:3:1', undefined, undefined],
  ['beside them', 'src/a.ts:4:1 is wrong', undefined, /is not in the lines that were edited, 2 to 3$/],
  ['in another file', 'src/b.ts:2:1 is wrong', undefined, /is not in a file that was edited$/],
  ['in another file, where the cause is', 'src/b.ts:2:1 is wrong', /^src\/b\.ts: second$/, undefined],
  ['beside the cause', 'src/b.ts:1:1 is wrong', /^src\/b\.ts: second$/, /is at "src\/b\.ts: first"/],
  ['a command', 'run `npm ci`', undefined, undefined],
  ['neither a line nor a command', 'fix it', undefined, /has neither a line nor a command$/],
])('what the loop says is compared with the edit: %s', (_, line, at, expected) => {
  const found = findMisplaced(line, FILES, at, (file) => TEXTS[file] ?? '');
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(expected);
});
