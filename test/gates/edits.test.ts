/** The edits of docs/edits.md can still be made; `npm run bench -- edits` tries them in a development loop. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { EDITS } from '../support/edits.ts';
import { SITUATIONS } from '../support/loop-situations.ts';
import { applyChange } from '../support/try-edits.ts';

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
  const rows = readFileSync('docs/edits.md', 'utf8').match(/^\| +\d+ +\|.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  expect(names).toEqual(expect.arrayContaining(rows.map((row) => row.split('|')[2]?.trim())));
});
