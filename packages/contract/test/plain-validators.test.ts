/** Validation without a server: the README's example, and what a document or an operation that is wrong says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { openContract, validateRequest, validateResponse, type Contract } from '@specwright/contract';
import { withFolder } from '../../../test/support/tools/folder.ts';

const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readFileSync('packages/contract/README.md', 'utf8')) ?? [];
const folder = withFolder('all tests');
let contract: Contract;
const fileOf = (name: string, text: string) => {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  return file;
};
beforeAll(async () => {
  contract = await openContract(fileOf('openapi.yaml', yaml));
});

test('a valid request has typed values and defaults', async () => {
  const { input, problems } = await validateRequest(contract, 'getBook', { path: { bookId: '7' } });
  expect({ path: input.path, query: input.query, problems }).toEqual({ path: { bookId: 7 }, query: { copies: 1 }, problems: [] });
});

test('every problem of a request has its location', async () => {
  const { problems } = await validateRequest(contract, 'getBook', { path: { bookId: '0' }, query: 'copies=two&x=%FF' });
  expect(problems.map(({ location, message }) => `${location} ${message}`)).toEqual(
    expect.arrayContaining(['path/bookId must be >= 1', 'query/copies must be integer', 'query/x is not declared']),
  );
});

test('a response is validated: status, body', () => {
  const problemsOf = (status: number, body?: unknown) => validateResponse(contract, 'getBook', { status, body });
  expect(problemsOf(200, { title: 'Emma' })).toEqual([]);
  expect(problemsOf(200, { title: 7 })).toEqual(['response/body/title must be string']);
  expect(problemsOf(200)).toEqual(['response/body is required']);
  expect(problemsOf(404)).toEqual(['response status 404 is not declared']);
});

test('an operation that the contract does not have is an error, and a document that is wrong names its problems', async () => {
  await expect(validateRequest(contract, 'getBok', {})).rejects.toThrow('has no operation getBok');
  const broken = fileOf('broken.yaml', yaml.replace('type: integer, minimum: 1', "$ref: '#/components/schemas/None'"));
  await expect(openContract(broken)).rejects.toThrow('#/components/schemas/None');
});
