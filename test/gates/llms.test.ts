/** llms.txt has each page, and llms-full.txt an example of each function; a gate compares both with the sources (`scripts/llms.ts --check`). */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { DOCUMENTATION_PAGES } from '../support/documentation-pages.ts';

const MAX_TOKENS = 6_000;
/** A context of an agent has to hold llms-full.txt beside its work. */
const MAX_TOKENS_FULL = 150_000;
/** Of English and names, with the tokenizers of the day; fewer are counted as more. */
const CHARACTERS_PER_TOKEN = 3.5;

const index = readFileSync('llms.txt', 'utf8');
const full = readFileSync('llms-full.txt', 'utf8');

test('llms-full.txt has a declaration of each export, and an example of each function and class', () => {
  const blocks = [...full.matchAll(/^#### (.+)\n\n```ts\n([^]*?)^```/gm)].map(([, name = '', text = '']) => ({ name, text }));
  expect(blocks.length).toBeGreaterThan(500);
  expect(blocks.filter(({ name, text }) => !text.includes(name)).map(({ name }) => name)).toEqual([]);
  const callable = blocks.filter(({ text }) => /^(?:abstract class|class|function) /m.test(text));
  expect(callable.filter(({ text }) => !text.includes('\n// Example:\n')).map(({ name }) => name)).toEqual([]);
});

test('llms.txt has each page by an absolute link', () => {
  const pages = DOCUMENTATION_PAGES.filter((page) => page !== 'docs/README.md');
  expect(pages.filter((page) => !index.includes(`(https://raw.githubusercontent.com/specwright/specwright/main/${page})`))).toEqual([]);
  expect([...index.matchAll(/\]\((?!https:)/g)]).toEqual([]);
});

test('neither is longer than a context allows', () => {
  expect(index.length / CHARACTERS_PER_TOKEN).toBeLessThan(MAX_TOKENS);
  expect(full.length / CHARACTERS_PER_TOKEN).toBeLessThan(MAX_TOKENS_FULL);
});
