/** The linter of this project on a text in the place of a source: with the types of a few sources, since those of all take ten seconds. */
import { ESLint } from 'eslint';

// With CI=true the parser reads files from the disk, and not the text that is linted.
process.env['TSESTREE_SINGLE_RUN'] = 'false';

const eslint = new ESLint({
  overrideConfigFile: '.config/eslint.js',
  overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions: { project: './test/gates/lint/tsconfig.json' } } }],
});

/** @param filePath of `tsconfig.json` beside this file. @returns the rules that the text breaks there. */
export async function rulesBrokenBy(text: string, filePath: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath });
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
}
