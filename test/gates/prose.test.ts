/** The pages are plain English: no pattern that readers stumble over, no sentence that is read twice. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { problemsOf, sentencesOf, wordsOf } from './prose.ts';

/** Their folders have README.md: packages, entries, templates, examples. */
const FOLDERS = [
  'packages',
  'packages/server/src',
  'packages/accounts/src',
  'packages/specwright/src',
  'packages/specwright',
  'examples',
  'docs/clients',
];
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync('spec/guides').map((name) => `spec/guides/${name}`),
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ...FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}/README.md`)).filter((page) => existsSync(page)),
];

test.each(PAGES)('%s is plain', (page) => {
  const problems = sentencesOf(readFileSync(page, 'utf8')).flatMap((sentence) =>
    problemsOf(sentence).map((problem) => `${page}:${sentence.line}: ${problem}\n    ${sentence.text}`),
  );
  expect(problems).toEqual([]);
});

test('README.md and docs/ can be read in a day: who adds much takes something out', () => {
  const pages = PAGES.filter((page) => page === 'README.md' || /^docs\/[\w-]+\.md$/.test(page));
  const words = pages.flatMap((page) => wordsOf(readFileSync(page, 'utf8')));
  expect(words.length).toBeGreaterThan(20_000);
  expect(words.length).toBeLessThanOrEqual(34_000);
});

test('counts words of text and cells, and neither code nor the marks of tables', () => {
  expect(wordsOf('# One\n\n- two `three`\n\n```sh\nnpm test\n```\n\n| four |\n| ---- |\n| five |\n')).toEqual([
    'One',
    'two',
    '`three`',
    'four',
    'five',
  ]);
});

test.each([
  ['The server has a log of its own.'],
  ['No key is looked up at all.'],
  ['The URL is passed on as it is.'],
  ['The status stands in the contract.'],
  ['Each response is held against the contract.'],
  ['Those that are refused wait.'],
  ['Who sends no key waits.'],
  ['What is not declared is removed.'],
  ['The server keeps what is declared.'],
  ['It is read nowhere.'],
  ['All others pay all the same.'],
  ['It used to be another library.'],
  ['One is read; one is written; one is dropped.'],
  [`${'a word of it, '.repeat(11)}ends.`],
])('reports: %s', (text) => {
  expect(sentencesOf(text).flatMap(problemsOf)).toHaveLength(1);
});

test.each([
  ['The server removes undeclared properties.'],
  ['Who can read the key?'],
  ['A `stands in` of code is no prose.'],
  ['It stands in for the database.'],
  ['```\nat all\n```'],
])('accepts: %s', (text) => {
  expect(sentencesOf(text).flatMap(problemsOf)).toEqual([]);
});

test('reads paragraphs, items, headings and cells, with their lines', () => {
  const page = '# A title\n\n- one item. Two\n  sentences.\n\n| a cell |\n| --- |\n| of a `table` |\n';
  expect(sentencesOf(page).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '1 A title',
    '3 one item.',
    '3 Two sentences.',
    '6 a cell',
    '8 of a `Code`',
  ]);
});
