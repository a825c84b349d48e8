/** The lint refuses regular expressions that take more than linear time, wherever texts of clients may be matched. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

interface Config {
  readonly files?: readonly string[];
  readonly plugins?: object;
  readonly rules?: Record<string, unknown>;
}
const importDefault = async (path: string): Promise<unknown> =>
  ((await import(new URL(`../../${path}`, import.meta.url).href)) as { default: unknown }).default;
const config = ((await importDefault('.config/eslint.js')) as Config[]).find(({ rules }) => rules?.['specwright/linear-expression']);

/** The rule alone, with the files that it is for. */
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [{ ...config, languageOptions: { parser: tseslint.parser } }] as never,
});
async function lint(text: string, filePath = 'packages/server/src/planted.ts'): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

/** The header fields of a part, as they were read: 3 KB of tabs took 41 s. */
const CUBIC = String.raw`/^([!#$%&'*+.^_\`|~0-9A-Za-z-]+):[ \t]*([^\0-\x08\n-\x1f\x7f]*?)[ \t]*$/`;

test.each([
  ['a cubic one', CUBIC, /polynomial \(degree 3\) time/],
  ['an exponential one', '/^(a+)+$/', /exponential time/],
  ['one that searches again from each place', '/ +$/g', /polynomial \(degree 2\) time/],
  ['one that is made of a literal', "new RegExp('^(a|a)*$')", /exponential time/],
  ['one that is made of a template', 'RegExp(`(?:x+x+)+y`, "i")', /exponential time/],
])('refuses %s', async (_, expression, message) => {
  expect(await lint(`export const planted = ${expression};\n`)).toEqual([expect.stringMatching(message)]);
});

test.each(['src/planted.ts', 'packages/mcp/src/deep/planted.ts', 'packages/cli/client/planted.ts'])('in %s', async (path) => {
  expect(await lint('export const planted = /(a*)*b/;\n', path)).toHaveLength(1);
});

test('takes linear ones, and those with an exemption', async () => {
  expect(await lint('export const linear = /^[a-z]+(?: [a-z]+)*$/;\n')).toEqual([]);
  expect(await lint('// eslint-disable-next-line specwright/linear-expression -- one byte\nexport const e = /(a*)*b/;\n')).toEqual([]);
});

test('each exemption in the sources has its reason', () => {
  const folders = ['src', ...readdirSync('packages').flatMap((name) => [`packages/${name}/src`, `packages/${name}/client`])];
  const sources = folders.filter((folder) => existsSync(folder)).flatMap(sourcesBelow);
  expect(sources.length).toBeGreaterThan(400);
  const exemptions = sources.flatMap((file) => readFileSync(file, 'utf8').match(/^.*specwright\/linear-expression.*$/gm) ?? []);
  expect(exemptions).toHaveLength(7);
  for (const exemption of exemptions) expect(exemption).toMatch(/eslint-disable-next-line specwright\/linear-expression -- \w+( \S+){2,}$/);
});

test('the checker installs no programs for other machines', () => {
  expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"node_modules\/recheck-/);
});
