/** Messages fit on a screen, whatever names a document has. */
import { expect, test } from '@jest/globals';
import { fitLines, formatFatalError } from '@specwright/server';
import { ContractError } from '@specwright/contract/document';

const lengths = (text: string) => text.split('\n').map(({ length }) => length);

test('a short text is unchanged', () => {
  const text = `a\n  b ${'c'.repeat(190)}\n`;
  expect(fitLines(text)).toBe(text);
});

test('a long line is broken between words, and what follows is indented', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`);
  const fitted = fitLines(`  ${words.join(' ')}\nnext`);
  expect(Math.max(...lengths(fitted))).toBeLessThanOrEqual(200);
  expect(fitted.split(/\s+/).filter(Boolean)).toEqual([...words, 'next']);
  expect(fitted.split('\n')[1]).toMatch(/^ {6}word/);
});

test('a message of megabytes is cut, with its beginning and its end', () => {
  const error = new ContractError('a.yaml', [
    { line: 1, column: 1, message: `${'some/file.yml '.repeat(100_000)}${'x'.repeat(5000)} the end` },
  ]);
  const text = formatFatalError(error);
  expect(text.length).toBeLessThan(2000);
  expect(Math.max(...lengths(text))).toBeLessThanOrEqual(200);
  expect(text).toMatch(/^a\.yaml: 1 problem\n {2}a\.yaml:1:1 some\/file\.yml [^]* the end$/);
});
