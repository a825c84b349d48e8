/** The contract walk of a noun that `add-resource` makes in a new project reports each mutant of its handlers and its store. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { copyNewProject, run, type NewProject } from '../../support/projects/new-project.ts';
import { NOUN, PROPERTIES } from '../../support/edits/resource-mutants.ts';
import { testMutants } from '../../support/edits/test-mutants.ts';

let made: NewProject | undefined;
afterAll(() => made?.remove());

testMutants({
  make: async () => {
    made = await copyNewProject('accounts');
    const { folder } = made;
    const npm = async (...args: string[]) =>
      expect(await run('npm', ['run', '--silent', ...args], folder)).toMatchObject({ code: 0, output: expect.any(String) });
    await npm('add-resource', '--', 'categories', 'name:string', '--allow-dirty');
    // What is referred to cannot be deleted, which its contract has to say.
    const spec = join(folder, 'spec/openapi.yaml');
    const text = await readFile(spec, 'utf8');
    const conflict = "        '409':\n          $ref: '#/components/responses/PreconditionFailed'\n";
    const declared = text.replace(/operationId: deleteCategory[^]*?(?= {8}'412':)/, (found) => found + conflict);
    expect(declared).not.toBe(text);
    await writeFile(spec, declared);
    await npm('generate');
    await npm('add-resource', '--', NOUN, ...PROPERTIES, '--allow-dirty');
    return folder;
  },
  walk: 'test/contract/operations.test.ts',
});
