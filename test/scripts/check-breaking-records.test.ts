/** A break that is meant is recorded with its reason, for one change: it excuses no other, and no later one. */
import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../packages/cli/src/breaking/change.ts';
import { prune, readRecords, recordLines, settle } from '../../packages/cli/src/breaking/records.ts';
import { inMarkdown, inWords } from '../../packages/cli/src/breaking/report.ts';

const FILE = 'spec/breaking-changes.yaml';
const HEAD = '# What stands above.\n';
const finding = (fields: Partial<Finding> = {}): Finding => ({
  rule: 'enum-values-removed',
  at: '#/components/schemas/Kind/enum',
  change: "Kind: Enum lost values: 'a | b'.",
  why: 'requests that were valid are refused',
  base: { line: 3, column: 5 },
  working: { line: 4, column: 7 },
  ...fields,
});
const lines = (reason: string, of = finding()) => recordLines(of).replace("''", reason);
const SUBJECT = { spec: 'spec/api.yaml', records: FILE, baseFile: '1a2b3c:spec/api.yaml', baseName: 'main (1a2b3c)' };
const settled = (text: string, findings = [finding()], merged = '') => settle(findings, readRecords(FILE, text), readRecords(FILE, merged));

describe('a record', () => {
  test('made of the lines that are printed, with a reason, fits its finding', () => {
    expect(settled(HEAD + lines('Sold out.')).findings).toMatchObject([{ reason: 'Sold out.' }]);
  });

  test.each<[what: string, other: Finding]>([
    ['rule', finding({ rule: 'enum-values-added' })],
    ['place', finding({ at: '#/components/schemas/Other/enum' })],
    ['change', finding({ change: "Kind: Enum lost values: 'c'." })],
  ])('excuses no break of another %s, and is told as stale', (_what, other) => {
    const { findings, stale } = settled(lines('Sold out.'), [other]);
    expect(findings).toMatchObject([{ reason: undefined }]);
    expect(stale).toHaveLength(1);
  });

  test('that the base has already excuses nothing, and is not stale', () => {
    const { findings, stale, merged } = settled(lines('Sold out.'), [finding()], lines('Sold out.'));
    expect(findings).toMatchObject([{ reason: undefined }]);
    expect(stale).toEqual([]);
    expect(merged).toHaveLength(1);
  });

  test.each<[what: string, text: string, problem: RegExp]>([
    ['an empty reason', lines("''"), /breaking-changes\.yaml:4:11 0\/reason: an intended break needs a reason/],
    ['a reason of blanks', lines("'  '"), /:4:11 0\/reason: an intended break needs a reason/],
    ['no reason', lines('x').replace(/ {2}reason.*\n/, ''), /:1:3 0\/reason: /],
    ['a key that is misspelt', lines('x').replace('rule:', 'rul:'), /:1:3 0\/rule: [^]*"rul"/],
    ['something else than a list', 'rule: a\n', /:1:1 the list: /],
    ['text that is not YAML', '- rule: "a\n', /:\d+:\d+ /],
  ])('with %s is refused at its place', (_what, text, problem) => {
    expect(() => readRecords(FILE, text)).toThrow(problem);
  });

  test('is not needed: a file that is empty, or comments alone, is read', () => {
    expect(readRecords(FILE, '')).toEqual([]);
    expect(readRecords(FILE, HEAD)).toEqual([]);
  });

  test('that fits nothing is pruned; the others, and what stands above, stay', () => {
    const other = finding({ rule: 'path-removed' });
    const text = HEAD + lines('Gone.', other) + lines('Sold out.');
    const both = readRecords(FILE, text);
    expect(prune(FILE, text, both.slice(0, 1))).toBe(HEAD + lines('Sold out.'));
    expect(prune(FILE, text, both)).toBe(HEAD);
  });
});

describe('the report', () => {
  const open = settled('');
  const meant = settled(lines('Sold out.'));

  test('names both places, why a client breaks, and the lines that record it', () => {
    const words = inWords(open, SUBJECT);
    expect(words).toContain("spec/api.yaml:4:7  Kind: Enum lost values: 'a | b'. (enum-values-removed)");
    expect(words).toContain('before:  1a2b3c:spec/api.yaml:3:5');
    expect(words).toContain('breaks:  requests that were valid are refused');
    const printed = words.split('\n').filter((line) => /^ {13}/.test(line));
    expect(printed.map((line) => `${line.slice(13)}\n`).join('')).toBe(recordLines(finding()));
    expect(words).toContain('1 breaking change against main (1a2b3c), 1 not recorded');
  });

  test('tells the reason of what is recorded, and does not ask for it again', () => {
    expect(inWords(meant, SUBJECT)).toMatch(/meant: +Sold out\.[^]*all recorded/);
    expect(inMarkdown(meant, SUBJECT)).not.toContain('```yaml');
  });

  test('is a table in Markdown that no bar of a message breaks', () => {
    const row = inMarkdown(open, SUBJECT)
      .split('\n')
      .find((line) => line.includes('Enum lost'));
    expect(row?.match(/(?<!\\)\|/g)).toHaveLength(6);
    expect(inMarkdown(open, SUBJECT)).toContain(recordLines(finding()));
  });

  test('says of stale and of merged records how to remove them', () => {
    for (const words of [inWords, inMarkdown]) {
      expect(words(settled(lines('x'), []), SUBJECT)).toContain('npm run check-breaking -- --prune');
      expect(words(settled(lines('x'), [], lines('x')), SUBJECT)).toContain('npm run check-breaking -- --prune');
    }
  });
});
