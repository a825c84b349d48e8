/**
 * Proves which regular expressions of the sources are linear, and records it: `node scripts/record-expressions.mjs`. Those that are recorded are
 * not judged again, but with `--check`, which prints the record instead: two minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { createRule, problemOf, recordFile } from '../.config/linear-expressions.js';
import config from '../.config/eslint.js';

const { files } = config.find(({ rules }) => rules?.['specwright/linear-expression']);
const isCheck = process.argv.includes('--check');
const recorded = isCheck ? {} : JSON.parse(readFileSync(recordFile, 'utf8'));
const judged = {};
const check = (source, flags) => {
  const text = `/${source}/${flags}`;
  judged[text] ??= recorded[text] ?? problemOf(source, flags) === undefined;
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
const text = `${JSON.stringify(judged, Object.keys(judged).sort(), 2)}\n`;
if (isCheck) process.stdout.write(text);
else writeFileSync(recordFile, text);
