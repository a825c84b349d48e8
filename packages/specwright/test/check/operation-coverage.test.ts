/** The coverage of operations by tests: of several contracts, each by the tests in its folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readProject, type ProjectConfig } from '../../src/project-config.ts';
import { parseSource } from '@specwright/contract/document';
import { type TestFile, coverageOf } from '../../src/gates/jest-results.ts';

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

/** The contracts of a project with these in `specwright.specs`. */
function contractsWith(specwright: object): readonly ProjectConfig[] {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ specwright }));
    return readProject(folder).contracts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const coverage = (specwright: object) => contractsWith(specwright).map((contract) => coverageOf(contract, document, TESTS));

test('an operation is tested by the tests of its contract, and not by those of another with an operation of that name', () => {
  expect(coverage({ specs: { v1: {}, v2: {} } })).toMatchObject([
    { contract: 'v1', tested: 1, answered: 1, missing: [] },
    { contract: 'v2', tested: 0, answered: 0, missing: ['listPets 200'] },
  ]);
});

test('of the only contract every test counts', () => {
  expect(coverage({ contractTests: 'test/other' })).toMatchObject([{ contract: undefined, tested: 1 }]);
});
