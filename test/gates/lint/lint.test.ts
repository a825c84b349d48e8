/** The rules of the linter that keep promises from being lost: each occurrence that is put back is an error. */
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { rulesBrokenBy } from './lint-text.ts';

const { MAX_LINES, MAX_COMPLEXITY } = (await import(pathToFileURL('.config/function-size.js').href)) as {
  readonly MAX_LINES: number;
  readonly MAX_COMPLEXITY: number;
};
const FILE = 'packages/contract/src/promises.ts';

test('a thenable is found by isThenable alone', async () => {
  expect(
    await rulesBrokenBy(
      `import { types } from 'node:util';
export const a = (value: unknown) => types.isPromise(value);
export const b = (value: unknown) => value instanceof Promise;`,
      FILE,
    ),
  ).toEqual(['no-restricted-syntax', 'no-restricted-syntax']);
  expect(await rulesBrokenBy(`export { isPromise } from 'node:util/types';`, FILE)).toEqual(['no-restricted-syntax']);
  expect(await rulesBrokenBy(`import { isPromise as is } from 'node:util/types';\nexport const c = is;`, FILE)).toEqual([
    'no-restricted-syntax',
  ]);
});

test('a promise that nothing waits for goes to inBackground', async () => {
  const work = 'export const work = async (): Promise<void> => undefined;';
  const floating = '@typescript-eslint/no-floating-promises';
  expect(await rulesBrokenBy(`${work}\nwork();`, FILE)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nvoid work();`, FILE)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nsetTimeout(() => void work(), 1);`, FILE)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nwork().catch(() => undefined);`, FILE)).toEqual([]);
});

test.each([
  ['lines', `export function long(): number {\n${'  let x = 1;\n'.repeat(MAX_LINES)}  return 1;\n}`, 'max-lines-per-function'],
  ['a complexity', `export const f = (a: number): number => ${'a === 1 || '.repeat(MAX_COMPLEXITY)}a > 2 ? 1 : 2;`, 'complexity'],
])('a function with too many %s is an error', async (_, text, rule) => expect(await rulesBrokenBy(text, FILE)).toContain(rule));
