/** The coverage of operations by tests: of several contracts, each by the tests in its folder. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/server/document';
import { coverageOf } from '../src/gates/operation-coverage.ts';
import type { TestFile } from '../src/gates/jest-results.ts';

const { document } = parseSource(
  'spec.json',
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
  }),
);
const answered = (file: string): TestFile => ({
  file,
  seconds: 1,
  failures: [],
  passed: [{ ancestors: ['listPets'], title: 'answers 200 as declared' }],
});
const TESTS = [answered('test/contract/v1/walk.test.ts')];
const coverage = (contractName: string | undefined, contractTests: string) => coverageOf({ contractName, contractTests }, document, TESTS);

test('an operation is tested by the tests of its contract, and not by those of another with an operation of that name', () => {
  expect(coverage('v1', 'test/contract/v1')).toMatchObject({ contract: 'v1', tested: 1, answered: 1, missing: [] });
  expect(coverage('v2', './test/contract/v2')).toMatchObject({ contract: 'v2', tested: 0, answered: 0, missing: ['listPets 200'] });
});

test('of the only contract every test counts', () => {
  expect(coverage(undefined, 'test/contract')).toMatchObject({ contract: undefined, tested: 1 });
});
