/** The contract walk after a save: every operation that may have changed is walked, however many there are. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { reportWalk, type WalkParts } from '../../src/dev/walk/walker.ts';
import type { Screen } from '../../src/dev/report/screen.ts';
import { createEditHistory, type EditHistory } from '../../src/dev/walk/changed-operations.ts';
import type { WalkResponse } from '../../src/dev/walk/walk-process.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();
let pending: Set<string>;
let walked: string[][];
let sections: unknown[][];
let history: EditHistory;
let answer: (batch: readonly string[]) => WalkResponse | undefined;
beforeEach(() => {
  mkdirSync(join(root.path, 'src/handlers'), { recursive: true });
  root.write('package.json', '{"name":"test"}');
  root.write(
    'src/handlers/books.ts',
    'export const bookHandlers = {\n  getA: () => 1,\n  getN: () => 1,\n} satisfies Partial<Handlers>;\n',
  );
  history = createEditHistory(readProjectConfig(root.path), 'spec.yaml');
  pending = new Set(Array.from({ length: 15 }, (_, i) => `get${String.fromCharCode(65 + i)}`));
  walked = [];
  sections = [];
  answer = (batch) => ({ results: batch.map((block) => ({ block, name: 'answers 200' })) });
});

const walk = () =>
  reportWalk(
    {
      project: readProjectConfig(root.path),
      screen: { section: (...args: unknown[]) => void sections.push(args) } as unknown as Screen,
      walk: 'test/contract/walk.test.ts',
      walker: {
        async walk(_file, operations) {
          walked.push([...operations]);
          return answer(operations);
        },
        prepare: () => undefined,
        close: () => undefined,
      },
      changed: { pending, update: () => undefined, clear: (ids) => ids.forEach((id) => pending.delete(id)) } satisfies WalkParts['changed'],
      history,
    },
    new AbortController().signal,
  );

test('fifteen operations are walked in two batches, and the screen says so', async () => {
  await walk();
  expect(walked.map(({ length }) => length)).toEqual([12, 3]);
  expect(sections).toEqual([
    ['walk', expect.stringMatching(/^15 operations may have changed: walking them in batches of 12/)],
    ['walk', expect.stringMatching(/^ok: 15 operations answer as declared/)],
  ]);
  expect(pending.size).toBe(0);
});

test('a failure of any batch is reported at its handler, and only its operation is walked again', async () => {
  answer = (batch) => ({
    results: batch.map((block) => ({ block, name: 'answers 200', ...(block === 'getN' && { error: 'answered 500' }) })),
  });
  await walk();
  expect(sections.at(-1)).toEqual([
    'walk',
    expect.stringMatching(/^1 of 15 failed/),
    ['src/handlers/books.ts:3:3 getN answers 200: answered 500'],
    'fix src/handlers/books.ts:3:3',
  ]);
  expect([...pending]).toEqual(['getN']);
});

test('what waits for a scenario is reported there, unless the handler fails', async () => {
  const needed = (status: number) =>
    `getN, called with {}:\n  status ${status}: it is implemented, so test/contract/scenarios.ts has to say`;
  for (const [status, place] of [
    [200, 'test/contract/scenarios.ts:1:1'],
    [500, 'src/handlers/books.ts:3:3'],
  ] as const) {
    answer = (batch) => ({
      results: batch.map((block) => ({ block, name: 'answers 501', ...(block === 'getN' && { error: needed(status) }) })),
    });
    await walk();
    expect(sections.at(-1)?.at(-1)).toBe(`fix ${place}`);
  }
});

test('operations that a save has interrupted are still to be walked', async () => {
  answer = (batch) => (batch.length < 12 ? undefined : { results: [] });
  await walk();
  expect([...pending]).toEqual(['getM', 'getN', 'getO']);
  expect(sections).toHaveLength(1);
});

test('what was edited since the walk passed is where a failure is to be fixed, the operation next to it first', async () => {
  const file = join(root.path, 'src/handlers/books.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('getN: () => 1', 'getN: () => 2'));
  history.touch([file, join(root.path, 'test/other.ts')]);
  answer = (batch) => ({ results: batch.map((block) => ({ block, name: 'answers 200', ...(/A|N/.test(block) && { error: 'no' }) })) });
  await walk();
  expect(sections.at(-1)?.slice(2)).toEqual([
    ['src/handlers/books.ts:3:1 getN answers 200: no', 'src/handlers/books.ts:3:1 getA answers 200: no'],
    'fix src/handlers/books.ts:3:1',
  ]);
  answer = () => ({ results: [] });
  await walk();
  expect(history.edited()).toEqual([]);
});

test('a scenario that is not written is named at its row', async () => {
  root.write('test/contract/scenarios.ts', 'export const SCENARIOS = {\n  getA: {},\n};\n');
  answer = (batch) => ({ results: batch.map((block) => ({ block, name: 'answers', ...(block === 'getA' && { error: 'no scenario' }) })) });
  await walk();
  expect(sections.at(-1)?.at(-1)).toBe('fix test/contract/scenarios.ts:2:3');
});
