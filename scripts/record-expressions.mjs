/**
 * Proves that the regular expressions of the sources are linear, and records those that are: `npm run lint:expressions`. Those that are
 * recorded are not proven again, but with `--check`, which prints the record instead: two minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { createRule, problemOf, recordFile } from '../.config/linear-expressions.js';
import config from '../.config/eslint.js';

const { files } = config.find(({ rules }) => rules?.['specwright/linear-expression']);
const isCheck = process.argv.includes('--check');
const recorded = isCheck ? [] : JSON.parse(readFileSync(recordFile, 'utf8'));
const linear = new Set();
const check = (source, flags) => {
  const text = `/${source}/${flags}`;
  if (!linear.has(text) && (recorded.includes(text) || problemOf(source, flags) === undefined)) linear.add(text);
};
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    {
      files,
      languageOptions: { parser: tseslint.parser },
      plugins: { specwright: { rules: { 'linear-expression': createRule(check) } } },
      rules: { 'specwright/linear-expression': 'error' },
    },
  ],
});
await eslint.lintFiles(files);
const text = `${JSON.stringify([...linear].sort(), undefined, 2)}\n`;
if (isCheck) process.stdout.write(text);
else writeFileSync(recordFile, text);
