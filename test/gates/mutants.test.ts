/** The mutants of `npm run test:mutants` fit the code: what they replace occurs, and only once. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { mutate } from '../mutants/mutant.ts';
import { MUTATED_FILES } from '../mutants/mutants.ts';

test.each(MUTATED_FILES.map((one) => [one.file, one] as const))('%s has the text of each of its mutants once', (file, { mutants }) => {
  const source = readFileSync(file, 'utf8');
  for (const mutant of mutants) expect(mutate(source, mutant)).not.toBe(source);
});

test('the tests of all mutants exist', () => {
  expect(MUTATED_FILES.flatMap(({ tests }) => tests).filter((file) => !existsSync(file))).toEqual([]);
});

test('a mutant whose text is gone, or occurs twice, is an error', () => {
  expect(() => mutate('a < b', ['reversed', 'a > b', 'a < b'])).toThrow('"reversed": this text occurs 0 times, not once: a > b');
  expect(() => mutate('a < b && a < b', ['reversed', 'a < b', 'a > b'])).toThrow('occurs 2 times');
  expect(() => mutate('a < b', ['the same', 'a < b', 'a < b'])).toThrow('"the same" changes nothing');
});
