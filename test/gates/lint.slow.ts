/**
 * The rules of the linter that this project adds: each occurrence that is put back is an error. They are those of .config/eslint.js; the
 * lint gate gives them the types of all sources, these tests the types of one file.
 */
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

// With CI=true the parser reads files from the disk, and not the text that is linted.
process.env['TSESTREE_SINGLE_RUN'] = 'false';

const linter = (...overrideConfig: object[]) => new ESLint({ overrideConfigFile: '.config/eslint.js', overrideConfig });
const typed = linter({ languageOptions: { parserOptions: { project: './test/gates/lint.tsconfig.json' } } });
const untyped = linter(tseslint.configs.disableTypeChecked);
const TYPED_FILE = 'packages/contract/src/promises.ts';

/** The rules that a text breaks as a source. */
async function rulesBrokenBy(text: string, filePath = TYPED_FILE): Promise<(string | null)[]> {
  const eslint = filePath === TYPED_FILE ? typed : untyped;
  const [result] = await eslint.lintText(`${text}\n`, { filePath });
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

test.each([
  'packages/accounts/src/webhooks/deliver.ts',
  'src/worker.ts',
  'scripts/fuzz.ts',
  'packages/specwright/client/send.ts',
  'scripts/bundle-libraries.mjs',
])('AbortSignal.any, which may forget a timeout, is refused in %s', async (file) => {
  for (const text of [
    'export const a = AbortSignal.any([AbortSignal.timeout(1)]);',
    'export const b = globalThis.AbortSignal.any([]);',
    'const { any: c } = AbortSignal;\nexport { c };',
  ])
    expect(await rulesBrokenBy(text, file)).toEqual(['no-restricted-syntax']);
  expect(await rulesBrokenBy('export const d = AbortSignal.timeout(1);', file)).toEqual([]);
});

test('a promise that nothing waits for goes to inBackground', async () => {
  const work = 'export const work = async (): Promise<void> => undefined;';
  const floating = '@typescript-eslint/no-floating-promises';
  expect(await rulesBrokenBy(`${work}\nwork();`)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nvoid work();`)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nsetTimeout(() => void work(), 1);`)).toEqual([floating]);
  expect(await rulesBrokenBy(`${work}\nwork().catch(() => undefined);`)).toEqual([]);
});

/** How often a text breaks the rule for header fields as a source of the server. */
const headerFields = async (text: string, file: string): Promise<number> =>
  (await rulesBrokenBy(text, `packages/server/src/${file}`)).filter((rule) => rule === 'responses/header-fields').length;

const PRELUDE = `import type { ServerResponse } from 'node:http';
import { HeaderFields } from '@specwright/contract';
interface Given { readonly headers: Record<string, string>; readonly response: ServerResponse }`;
const inSource = (body: string) => `${PRELUDE}\nexport function f({ response, ...given }: Given): unknown {\n  ${body}\n}`;

test.each([
  ['is written to the response', `return response.setHeader('Cache-Control', 'no-store');`],
  ['is added to the response', `return response.appendHeader('Vary', 'Origin');`],
  ['is written with the head', `return response.writeHead(200, { ETag: '"1"' });`],
  ['is removed from the response', `response.removeHeader('ETag'); return given;`],
  ['is read by its spelling', `return given.headers['ETag'];`],
  ['is looked for by its spelling', `return 'Retry-After' in given.headers;`],
  ['is looked for in an object', `return Object.hasOwn(given.headers, 'ETag');`],
  ['is made of a list of names', `return new HeaderFields(['A', '1', 'a', '2']);`],
])('a header field that %s is refused', async (_, body) => expect(await headerFields(inSource(body), 'errors.ts')).toBe(1));

test.each([
  ['of a request, in lower case', `return given.headers['if-match'];`],
  ['of the one value', `return HeaderFields.of(given.headers).get('ETag');`],
])('a header field %s is not', async (_, body) => expect(await headerFields(inSource(body), 'errors.ts')).toBe(0));

test('what writes the one value to the response is exempt', async () =>
  expect(await headerFields(inSource('return response.writeHead(200);'), 'pipeline/send-response.ts')).toBe(0));

interface FunctionSize {
  readonly MAX_LINES: number;
  readonly MAX_COMPLEXITY: number;
  readonly RECORDED: Readonly<Record<string, { readonly lines?: number; readonly complexity?: number }>>;
}
const { MAX_LINES, MAX_COMPLEXITY, RECORDED } = (await import(pathToFileURL('.config/function-size.js').href)) as FunctionSize;

/** The largest function of a file, by rule. */
async function largest(): Promise<Record<string, { lines?: number; complexity?: number }>> {
  const rules = {
    'max-lines-per-function': ['error', { max: MAX_LINES, skipBlankLines: true, skipComments: true }],
    complexity: ['error', MAX_COMPLEXITY],
  };
  const eslint = new ESLint({
    overrideConfigFile: true,
    allowInlineConfig: false,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, rules }] as never,
  });
  const found: Record<string, { lines?: number; complexity?: number }> = {};
  for (const { filePath, messages } of await eslint.lintFiles(['packages/*/src/**/*.ts', 'src/**/*.ts'])) {
    for (const { ruleId, message } of messages) {
      const value = Number(/\((\d+)\)|complexity of (\d+)/.exec(message)?.slice(1).find(Boolean));
      const file = (found[filePath.slice(process.cwd().length + 1).replaceAll('\\', '/')] ??= {});
      const rule = ruleId === 'complexity' ? 'complexity' : 'lines';
      file[rule] = Math.max(file[rule] ?? 0, value);
    }
  }
  return found;
}

test('what is recorded as larger is as large as that, so that a smaller function takes its record along', async () => {
  expect(await largest()).toEqual(RECORDED);
});

test('no function has more than 80 lines, and at most ten are over a complexity of 20', () => {
  const recorded = Object.values(RECORDED);
  expect(recorded.filter(({ lines = 0 }) => lines > 80)).toEqual([]);
  expect(recorded.filter(({ complexity = 0 }) => complexity > 20).length).toBeLessThanOrEqual(10);
});

test.each([
  ['lines', `export function long(): number {\n${'  let x = 1;\n'.repeat(MAX_LINES)}  return 1;\n}`, 'max-lines-per-function'],
  ['a complexity', `export const f = (a: number): number => ${'a === 1 || '.repeat(MAX_COMPLEXITY)}a > 2 ? 1 : 2;`, 'complexity'],
])('a function with too many %s is an error of the lint', async (_, text, rule) => {
  expect(await rulesBrokenBy(text, 'packages/contract/src/headers.ts')).toContain(rule);
});

test('the tool writes files by one module', async () => {
  const file = 'packages/specwright/src/bundle/bundle-spec.ts';
  const broken = ['output/one-writer'];
  for (const text of [
    `import { readFileSync, writeFileSync } from 'node:fs';\nwriteFileSync('a', readFileSync('b'));`,
    `import { rename as move } from 'fs/promises';\nexport const a = move;`,
    `import * as fs from 'node:fs';\nfs.readFileSync('a');`,
    `import fs from 'node:fs';\nfs.readFileSync('a');`,
    `import { promises } from 'fs';\nexport const b = promises;`,
    `export const c = await import('node:fs/promises');`,
    `export * from 'node:fs';`,
    `export const d = process.getBuiltinModule('fs');`,
  ])
    expect(await rulesBrokenBy(text, file)).toEqual(broken);
  const reads = `import { type WriteStream, existsSync, readFileSync } from 'node:fs';\nexport const read = (stream?: WriteStream) => stream && existsSync('a') && readFileSync('a');`;
  expect(await rulesBrokenBy(reads, file)).toEqual([]);
  expect(
    await rulesBrokenBy(
      `import { writeFileSync } from 'node:fs';\nwriteFileSync('a', '');`,
      'packages/specwright/src/files/write-files.ts',
    ),
  ).toEqual([]);
});

test('the tool prints by one module', async () => {
  const file = 'packages/specwright/src/bundle/bundle-spec.ts';
  for (const text of [`console.log('a');`, `['a'].forEach(console.error);`, `process.stdout.write('a');`, `process.stderr.write('a');`])
    expect(await rulesBrokenBy(text, file)).toEqual(['output/one-printer']);
  expect(await rulesBrokenBy(`export const isTerminal = process.stdout.isTTY;`, file)).toEqual([]);
});
