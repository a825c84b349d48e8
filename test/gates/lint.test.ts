/** The rules of the linter that keep promises from being lost: each occurrence that is put back is an error. */
import { expect, test } from '@jest/globals';
import { ESLint } from 'eslint';

// With CI=true the parser reads files from the disk, and not the text that is linted.
process.env['TSESTREE_SINGLE_RUN'] = 'false';

const eslint = new ESLint({ overrideConfigFile: '.config/eslint.js' });

/** The rules that a text breaks as a source of the server. */
async function rulesBrokenBy(text: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath: 'packages/contract/src/promises.ts' });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
}

test('a thenable is found by isThenable alone', async () => {
  expect(
    await rulesBrokenBy(`import { types } from 'node:util';
export const a = (value: unknown) => types.isPromise(value);
export const b = (value: unknown) => value instanceof Promise;`),
  ).toEqual(['no-restricted-syntax', 'no-restricted-syntax']);
  expect(await rulesBrokenBy(`export { isPromise } from 'node:util/types';`)).toEqual(['no-restricted-syntax']);
  expect(await rulesBrokenBy(`import { isPromise as is } from 'node:util/types';\nexport const c = is;`)).toEqual(['no-restricted-syntax']);
});

test('a promise that nothing waits for goes to inBackground', async () => {
  const work = 'export const work = async (): Promise<void> => undefined;';
  const floating = '@typescript-eslint/no-floating-promises';
  expect(await rulesBrokenBy(`${work}\nwork();`)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nvoid work();`)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nsetTimeout(() => void work(), 1);`)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nwork().catch(() => undefined);`)).toEqual([]);
});
