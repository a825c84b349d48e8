/** A project with two contracts, `v1` and `v2`, in a temporary folder: as small as what is told of each allows. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { withCommands, type CommandResult } from './commands.ts';

/** A contract with an operation that has a `name` of so many characters. @param paths more of them, as YAML. */
export const contractOf = (title: string, { maxLength = 50, paths = '' } = {}): string => `openapi: 3.0.3
info: { title: ${title}, version: '1' }
paths:
  /pets/{petId}:
    put:
      operationId: replacePet
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 9 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '204': { description: replaced } }
${paths}components:
  schemas:
    Pet:
      type: object
      additionalProperties: false
      required: [name]
      properties:
        name: { type: string, maxLength: ${maxLength} }
`;

/** An operation without anything, as YAML. */
export const operationOf = (method: string, path: string, id: string): string => `  ${path}:
    ${method}:
      operationId: ${id}
      responses: { '204': { description: done } }
`;

export interface TwoContracts {
  readonly folder: string;
  command(...args: string[]): Promise<CommandResult>;
  write(path: string, text: string): void;
  read(path: string): string;
}

/** One project for the tests of a file: each writes the specs that it needs. */
export function withTwoContracts(): TwoContracts {
  const run = withCommands();
  let folder = '';
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'two-contracts-'));
    cpSync('packages/specwright/template/.config', join(folder, '.config'), { recursive: true });
    write('package.json', JSON.stringify({ name: 'shop', type: 'module', specwright: { specs: { v1: {}, v2: {} } } }));
    write('spec/v1.yaml', contractOf('Shop 1'));
    write('spec/v2.yaml', contractOf('Shop 2'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    command: (...args) => run(folder, ...args),
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}
