/** A noun in one command: every gate that it can affect passes at once, and no line of the pet store is changed but where nouns are listed. */
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { compareSpecs } from 'openapi-compare';
import { readDocument } from '@specwright/contract/document';
import { scaleTimeout } from 'specwright/testing';
import { check, resolveConfig } from 'prettier';
import { copyProject, type Project } from '../../support/projects/project.ts';

let project: Project;
beforeEach(async () => {
  project = await copyProject();
});
afterEach(() => project.remove());

const OPERATIONS = ['listSuppliers', 'createSupplier', 'getSupplier', 'replaceSupplier', 'updateSupplier', 'deleteSupplier'];
const PROPERTIES = ['name:string', 'email:email?', 'rating:integer', 'status:active|closed', 'category:categories?', 'founded:date'];

test(
  'suppliers hold against every gate, and their contract walk passes',
  async () => {
    const { folder } = project;
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: folder, encoding: 'utf8' }); // prettier-ignore
    // The model asks for requests of each operation, which a person writes.
    await rm(join(folder, 'test/model'), { recursive: true });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'before');
    const added = await project.specwright('add-resource', 'suppliers', ...PROPERTIES);
    expect(added).toMatchObject({ code: 0, output: expect.stringMatching(/^wrote src\/handlers\/suppliers\.ts$[^]*^Next: /m) });
    // It lints what it writes: a rule that this breaks would be noted.
    expect(added.output).not.toContain('note:');

    expect(await project.typecheck()).toEqual({ code: 0, output: '' });
    const spec = join(folder, 'spec/petstore.yaml');
    const source = readDocument(spec);
    expect(await compareSpecs(readDocument('spec/petstore.yaml'), source, new Date())).toEqual([]);
    const changed = git('status', '--porcelain', '-uall')
      .split('\n')
      .flatMap((line) => line.slice(3) || []);
    for (const name of changed.filter((one) => /\.(ts|yaml)$/.test(one) && !/^(generated|spec)\//.test(one))) {
      const text = await readFile(join(folder, name), 'utf8');
      expect([name, await check(text, { ...(await resolveConfig(name)), filepath: name })]).toEqual([name, true]);
    }
    // A client that sends a reference to nothing is told where.
    expect(await readFile(join(folder, 'src/db/suppliers.ts'), 'utf8')).toContain(
      `{ location: 'body', pointer: '/categoryId', code: 'reference',`,
    );
    // What was there stays.
    expect(git('diff', '-U0', '--', '.', ':!generated').match(/^-(?!--).*/gm) ?? []).toEqual([]);
    // Which schemas the table holds is derived.
    expect(changed).not.toContain('.config/schema-map.yaml');
    // Each list has an import and one line more.
    for (const file of ['src/handlers/index.ts', 'test/contract/scenarios.ts'])
      expect([file, git('diff', '-U0', '--', file).match(/^\+(?!\+\+).*/gm)]).toEqual([
        file,
        [expect.stringContaining("from './suppliers.ts';"), expect.stringMatching(/^\+ +\.\.\.supplier/)],
      ]);

    process.env['TEST_OPERATIONS'] = OPERATIONS.join();
    const walk = await project.run('test', 'test/contract/walk.test.ts', 'test/store/record-scoping.test.ts', '--maxWorkers=1');
    delete process.env['TEST_OPERATIONS'];
    expect(walk).toMatchObject({ code: 0 });
  },
  scaleTimeout(240_000),
);
