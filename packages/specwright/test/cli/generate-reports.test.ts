/** `specwright generate` says what the contract says in vain: the server starts with it, and does not do what was meant. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runProgram } from '../../src/program.ts';
import { temporaryFolder } from '../../src/files/write-files.ts';

const spec = (schema: string) => `openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: q, in: query, schema: ${schema} }]
      responses: { '204': { description: None. } }
`;

let folder: ReturnType<typeof temporaryFolder>;
let printed: string[];
const before = process.cwd();
beforeEach(() => {
  folder = temporaryFolder('reports-');
  printed = [];
  mkdirSync(join(folder.path, 'spec'));
  writeFileSync(join(folder.path, 'package.json'), '{"name":"notes"}');
  process.chdir(folder.path);
  jest.spyOn(console, 'log').mockImplementation((...args: unknown[]) => void printed.push(args.join(' ')));
});
afterEach(() => {
  process.chdir(before);
  folder.remove();
  jest.restoreAllMocks();
});

test.each([
  [
    "{ type: string, pattern: '^[a-z' }",
    'the pattern ^[a-z is not an ECMAScript regular expression: values are not validated against it (line 7)',
  ],
  ['{ type: boolean, default: maybe }', 'the default "maybe" is not valid for its schema: it is not filled in (line 7)'],
])('a parameter of %s', async (schema, line) => {
  writeFileSync(join(folder.path, 'spec/openapi.yaml'), spec(schema));
  expect(await runProgram(['generate'])).toBe(0);
  expect(printed.join('\n').replace(/\s+/g, ' ')).toContain(line);
});

test('nothing is said of a contract that is served as written', async () => {
  writeFileSync(join(folder.path, 'spec/openapi.yaml'), spec("{ type: string, pattern: '^[a-z]', default: a }"));
  expect(await runProgram(['generate'])).toBe(0);
  expect(printed.filter((line) => !line.startsWith('wrote '))).toEqual([]);
});
