/** The mutants of `npm run ts -- test/mutants/run.ts`: how they are made, tried and counted. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { lineKey } from '../mutants/coverage.ts';
import { figuresOf, shareKilled } from '../mutants/figures.ts';
import { generateMutants } from '../mutants/generate.ts';
import { testsOf } from '../mutants/try-generated.ts';

const SOURCE = `
export async function take(db: Database, accountId: string, count: number) {
  if (count > MAX) throw new Error('too many');
  await audit(db);
  const rows = await db('rows').where({ account_id: accountId, count }).then((found) => found.sort());
  log(rows);
  return rows.length > 0 && count < 9 ? 200 : 404;
}
`;

test('mutants are made of each kind, and keep their ids when lines come before them', () => {
  const made = generateMutants('a.ts', SOURCE);
  expect(made.map(({ kind, line, text, becomes }) => [kind, line, text, becomes])).toEqual([
    ['guard', 3, "if (count > MAX) throw new Error('too many');", ';'],
    ['bound', 3, '>', '>='],
    ['await', 4, 'await audit(db)', 'void audit(db)'],
    ['account', 5, '{ account_id: accountId, count }', '{ count }'],
    ['order', 5, 'found.sort()', 'found'],
    ['call', 6, 'log(rows);', ';'],
    ['condition', 7, 'rows.length > 0 && count < 9', 'true'],
    ['condition', 7, 'rows.length > 0 && count < 9', 'rows.length > 0'],
    ['condition', 7, 'rows.length > 0 && count < 9', 'count < 9'],
    ['bound', 7, '>', '>='],
    ['bound', 7, '<', '<='],
    ['status', 7, '200', '201'],
    ['status', 7, '404', '405'],
  ]);
  const ids = made.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(generateMutants('a.ts', `// A line.\n${SOURCE}`).map(({ id }) => id)).toEqual(ids);
  expect(made[1]?.source).toContain('if (count >= MAX) throw');
});

test('a mutant is tried with the tests of its line first, and one of a line that runs when its module is loaded with those that have its words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  const file = 'packages/a/src/statuses.ts';
  const texts: Record<string, string> = {
    [file]: 'const STATUSES = {\n  gone: 410,\n};\nconst f = () =>\n  STATUSES.gone;\n',
    'packages/a/test/first.test.ts': "test('runs', () => expect(f()).toBe(410));",
    'packages/a/test/second.test.ts': "test('loads', () => expect(load()).toBeDefined());",
    'test/third.test.ts': "test('gone', () => expect(status).toBe(410));",
    'packages/a/src/workers.ts': 'fork();',
    'packages/a/test/ops/workers.slow.ts': '',
    'packages/b/test/workers.slow.ts': '',
  };
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const [loading, running] = [['const STATUSES = {', 'gone: 410,'].map(lineKey), lineKey('STATUSES.gone;')];
  const coverage = [
    { test: 'packages/a/test/first.test.ts', seconds: 1, lines: { [file]: [running] } },
    { test: 'packages/a/test/second.test.ts', seconds: 1, lines: { [file]: loading } },
    { test: 'test/third.test.ts', seconds: 1, lines: { [file]: ['other'] } },
    { test: 'test/failed.test.ts', lines: { [file]: [...loading, running] } },
  ];
  const namesOf = (line: number, isTopLevel: boolean) =>
    testsOf(folder, { file, line, isTopLevel }, coverage).map(({ test }) => basename(test, '.test.ts'));
  expect(namesOf(5, false)).toEqual(['first', 'second', 'third']);
  expect(namesOf(2, true)).toEqual(['first', 'third', 'second']);
  const ofProcesses = testsOf(folder, { file: 'packages/a/src/workers.ts', line: 1, isTopLevel: false }, coverage);
  expect(ofProcesses.map(({ test }) => test)).toEqual(['packages/a/test/ops/workers.slow.ts']);
  await rm(folder, { recursive: true });
});

test('a part is judged by the mutants that a test could notice: what is excused has to have happened as it was said', () => {
  const results = [
    { id: 'killed', outcome: 'killed' },
    { id: 'same', outcome: 'lives' },
    { id: 'endless', outcome: 'timed out' },
    { id: 'no longer the same', outcome: 'killed' },
    { id: 'lives but was to time out', outcome: 'lives' },
    { id: 'times out but was to live', outcome: 'timed out' },
    { id: 'never run', outcome: 'not covered' },
  ] as const;
  const figures = figuresOf('server', results, {
    same: { kind: 'equivalent', reason: '' },
    endless: { kind: 'timeout-only', reason: '' },
    'no longer the same': { kind: 'equivalent', reason: '' },
    'lives but was to time out': { kind: 'timeout-only', reason: '' },
    'times out but was to live': { kind: 'equivalent', reason: '' },
  });
  expect(figures).toEqual({
    part: 'server',
    tried: 7,
    killed: 2,
    equivalent: 1,
    timeoutOnly: 1,
    unnamed: ['lives but was to time out', 'times out but was to live', 'never run'],
    needless: ['no longer the same'],
  });
  expect(shareKilled(figures)).toBe(2 / 5);
});
