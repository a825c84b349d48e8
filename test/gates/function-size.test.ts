/** The lint bounds the size of functions, and what is recorded as larger only shrinks. */
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

// With CI=true the parser reads files from the disk, and not the text that is linted.
process.env['TSESTREE_SINGLE_RUN'] = 'false';

interface FunctionSize {
  readonly MAX_LINES: number;
  readonly MAX_COMPLEXITY: number;
  readonly RECORDED: Readonly<Record<string, { readonly lines?: number; readonly complexity?: number }>>;
}
const { MAX_LINES, MAX_COMPLEXITY, RECORDED } = (await import(pathToFileURL('.config/function-size.js').href)) as FunctionSize;

const linter = (rules: object) =>
  new ESLint({
    overrideConfigFile: true,
    allowInlineConfig: false,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, rules: rules }],
  });

/** The largest function of a file, by rule. */
async function largest(): Promise<Record<string, { lines?: number; complexity?: number }>> {
  const eslint = linter({
    'max-lines-per-function': ['error', { max: MAX_LINES, skipBlankLines: true, skipComments: true }],
    complexity: ['error', MAX_COMPLEXITY],
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
  const eslint = new ESLint({ overrideConfigFile: '.config/eslint.js' });
  const [result] = await eslint.lintText(`${text}\n`, { filePath: 'packages/contract/src/promises.ts' });
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain(rule);
});
