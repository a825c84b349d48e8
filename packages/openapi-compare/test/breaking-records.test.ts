/** A record with a reason covers one intended change, and no other or later one. */
import { describe, expect, test } from '@jest/globals';
import type { BreakingChange } from '../src/breaking/compare-specs.ts';
import { FORMATS } from '../src/breaking/formats.ts';
import { formatRecord, matchRecords, prune, readRecords } from '../src/breaking/records.ts';
import { formatMarkdown, formatReport } from '../src/breaking/report.ts';

const FILE = 'spec/breaking-changes.yaml';
const HEAD = '# What stands above.\n';
const change = (fields: Partial<BreakingChange> = {}): BreakingChange => ({
  rule: 'enum-values-removed',
  at: '#/components/schemas/Kind/enum',
  change: "Kind: Enum lost values: 'a | b'.",
  impact: 'requests that were valid are refused',
  fix: 'keep accepting them',
  operations: ['GET /a', 'GET /b', 'GET /c', 'GET /d', 'GET /e'],
  base: { line: 3, column: 5 },
  working: { line: 4, column: 7 },
  ...fields,
});
const lines = (reason: string, of = change()) => formatRecord(of).replace("''", reason);
const FILES = {
  spec: 'spec/api.yaml',
  records: FILE,
  baseFile: '1a2b3c:spec/api.yaml',
  baseName: 'main (1a2b3c)',
  prune: '`npx specwright check-breaking --prune`',
};
const match = (text: string, changes = [change()], merged = '') =>
  matchRecords(changes, readRecords(FILE, text), readRecords(FILE, merged));

describe('a record', () => {
  test('of the printed lines, with a reason, matches its change', () => {
    expect(match(HEAD + lines('Sold out.')).changes).toMatchObject([{ reason: 'Sold out.' }]);
  });

  test.each<[what: string, other: BreakingChange]>([
    ['rule', change({ rule: 'enum-values-added' })],
    ['place', change({ at: '#/components/schemas/Other/enum' })],
    ['change', change({ change: "Kind: Enum lost values: 'c'." })],
  ])('does not match a change of another %s, and is reported as stale', (_what, other) => {
    const { changes, stale } = match(lines('Sold out.'), [other]);
    expect(changes).toMatchObject([{ reason: undefined }]);
    expect(stale).toHaveLength(1);
  });

  test('covers its operations, and no other one', () => {
    const text = lines('Sold out.');
    expect(match(text, [change({ operations: ['GET /a', 'GET /e'] })]).changes).toMatchObject([{ reason: 'Sold out.' }]);
    expect(match(text, [change({ operations: ['GET /a', 'GET /f'] })]).changes).toMatchObject([{ reason: undefined }]);
    expect(match(lines('All.', change({ operations: [] })), [change()]).changes).toMatchObject([{ reason: undefined }]);
    expect(match(lines('All.', change({ operations: [] })), [change({ operations: [] })]).changes).toMatchObject([{ reason: 'All.' }]);
  });

  test('that the base has matches nothing, and is not stale', () => {
    const { changes, stale, merged } = match(lines('Sold out.'), [change()], lines('Sold out.'));
    expect(changes).toMatchObject([{ reason: undefined }]);
    expect(stale).toEqual([]);
    expect(merged).toHaveLength(1);
  });

  test.each<[what: string, text: string, problem: RegExp]>([
    ['an empty reason', lines("''"), /breaking-changes\.yaml:10:11 0\/reason: an intended change needs a reason/],
    ['a reason of blanks', lines("'  '"), /:10:11 0\/reason: an intended change needs a reason/],
    ['no reason', lines('x').replace(/ {2}reason.*\n/, ''), /:1:3 0\/reason: /],
    ['a key that is misspelt', lines('x').replace('rule:', 'rul:'), /:1:3 0\/rule: [^]*"rul"/],
    ['something else than a list', 'rule: a\n', /:1:1 the list: /],
    ['text that is not YAML', '- rule: "a\n', /:\d+:\d+ /],
  ])('with %s is refused at its location', (_what, text, problem) => {
    expect(() => readRecords(FILE, text)).toThrow(problem);
  });

  test('is not required: an empty file, or one of comments alone, has none', () => {
    expect(readRecords(FILE, '')).toEqual([]);
    expect(readRecords(FILE, HEAD)).toEqual([]);
  });

  test('that matches nothing is pruned; the others and the comments stay', () => {
    const other = change({ rule: 'path-removed' });
    const text = HEAD + lines('Gone.', other) + lines('Sold out.');
    const both = readRecords(FILE, text);
    expect(prune(FILE, text, both.slice(0, 1))).toBe(HEAD + lines('Sold out.'));
    expect(prune(FILE, text, both)).toBe(HEAD);
  });
});

describe('the report', () => {
  const open = match('');
  const meant = match(lines('Sold out.'));

  test('has both locations, the impact, and the lines that record the change', () => {
    const text = formatReport(open, FILES);
    expect(text).toContain("spec/api.yaml:4:7  Kind: Enum lost values: 'a | b'. (enum-values-removed)");
    expect(text).toContain('before:  1a2b3c:spec/api.yaml:3:5');
    expect(text).toContain('impact:  requests that were valid are refused');
    expect(text).toContain('in:      GET /a, GET /b, GET /c, 2 more operations');
    expect(text).toContain('instead: keep accepting them');
    const printed = text.split('\n').filter((line) => /^ {13}/.test(line));
    expect(printed.map((line) => `${line.slice(13)}\n`).join('')).toBe(formatRecord(change()));
    expect(text).toContain('1 breaking change against main (1a2b3c), 1 not recorded');
  });

  test('has the reason of a recorded change, and does not ask for it again', () => {
    expect(formatReport(meant, FILES)).toMatch(/recorded: +Sold out\.[^]*all recorded/);
    expect(formatMarkdown(meant, FILES)).not.toContain('```yaml');
  });

  test('is a table in Markdown that no bar of a message breaks', () => {
    const row = formatMarkdown(open, FILES)
      .split('\n')
      .find((line) => line.includes('Enum lost'));
    expect(row?.match(/(?<!\\)\|/g)).toHaveLength(6);
    expect(formatMarkdown(open, FILES)).toContain(formatRecord(change()));
  });

  test('says how to remove stale and merged records', () => {
    for (const format of [formatReport, formatMarkdown]) {
      expect(format(match(lines('x'), []), FILES)).toContain('npx specwright check-breaking --prune');
      expect(format(match(lines('x'), [], lines('x')), FILES)).toContain('npx specwright check-breaking --prune');
    }
  });
});

describe('for other programs', () => {
  const listed = (recorded: string | null) => [
    {
      ...change(),
      working: { file: 'spec/api.yaml', line: 4, column: 7 },
      base: { file: '1a2b3c:spec/api.yaml', line: 3, column: 5 },
      recorded,
    },
  ];
  const format = (name: string, recorded: string | null = null) => FORMATS[name]?.(listed(recorded)) ?? '';

  test('SARIF has the rule, the place and the message; what is recorded is suppressed', () => {
    const [run] = (JSON.parse(format('sarif')) as { runs: { results: object[] }[] }).runs;
    expect(run?.results).toMatchObject([
      { ruleId: 'enum-values-removed', level: 'error', locations: [{ physicalLocation: { region: { startLine: 4, startColumn: 7 } } }] },
    ]);
    expect(run?.results[0]).not.toHaveProperty('suppressions');
    expect(JSON.parse(format('sarif', 'Sold out.'))).toMatchObject({
      runs: [{ results: [{ level: 'note', suppressions: [{ justification: 'Sold out.' }] }] }],
    });
  });

  test('GitHub gets a command on one line, whose message cannot end it', () => {
    const [first, ...more] = format('github', 'Sold out,\n50% off.').split('\n');
    expect(more).toEqual([]);
    expect(first).toMatch(
      /^::notice file=spec\/api\.yaml,line=4,col=7,title=enum-values-removed::Kind: .*Recorded: Sold out,%0A50%25 off\./,
    );
    expect(format('github')).toMatch(/^::error .*Instead: keep accepting them\. Before: 1a2b3c:spec\/api\.yaml:3$/);
  });

  test('JSON is the list', () => {
    expect(JSON.parse(format('json'))).toEqual(listed(null));
  });
});
