/** A reference leads to files of the document's project only, however it is written; whoever means others says so. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { loadContract } from '@specwright/contract';
import { ContractError, operationTable, readDocument } from '@specwright/contract/document';
import { readFast } from '../src/reading/source-document.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const folder = withFolder();
let spec: string;
const { write } = folder;
beforeEach(() => {
  spec = join(folder.path, 'project/spec/openapi.yaml');
  write('project/package.json', '{}');
  write('project/shared/a.yaml', 'type: string\n');
  write('project/spec/schemas/a.yaml', 'type: string\n');
  write('secret.yaml', 'type: string\ndescription: secret\n');
  write('private/secret.yaml', 'type: string\ndescription: secret\n');
});

/** A document with one reference, in line 6. */
const refer = ($ref: string) =>
  write(
    'project/spec/openapi.yaml',
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    A: { $ref: '${$ref}' }\n`,
  );

function problemsOf(options?: { readonly allowOutside?: boolean }): string[] {
  try {
    expect(JSON.stringify(readDocument(spec, options).published)).not.toContain('"secret"');
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map(({ line, message }) => `${line} ${message}`);
  }
}

test.each([
  'schemas/a.yaml',
  './schemas/a.yaml',
  '../shared/a.yaml',
  '../spec/schemas/a.yaml',
  '%2e%2e/shared/a.yaml',
  '../../project/shared/a.yaml',
  '/schemas/a.yaml',
])('%s is read', ($ref) => {
  refer($ref);
  expect(problemsOf()).toEqual([]);
  expect(readFast(spec)).toBeDefined();
});

describe('what is outside of the project is refused with the line, where it leads, and what to do', () => {
  const refused = (leads = 'secret.yaml') =>
    `leads to ${join(folder.path, leads)}, outside of the project ${join(folder.path, 'project')}: move the file into it, or add --allow-outside if that is meant`;

  test.each([
    '../../secret.yaml',
    '..%2f..%2fsecret.yaml',
    '%2e%2e/%2e%2e/secret.yaml',
    '%2E%2E/%2E%2E/secret%2Eyaml',
    './schemas/../../../secret.yaml',
    '../../secret.yaml#/description',
  ])('%s', ($ref) => {
    refer($ref);
    expect(problemsOf()).toEqual([`6 $ref ${$ref} ${refused()}`]);
    expect(readFast(spec)).toBeUndefined();
  });

  test('an absolute path', () => {
    refer(join(folder.path, 'secret.yaml'));
    expect(problemsOf()).toEqual([`6 $ref ${join(folder.path, 'secret.yaml')} ${refused()}`]);
  });

  test('a file that does not exist, with the same words: nothing is told of it', () => {
    refer('../../none.yaml');
    expect(problemsOf()).toEqual([`6 $ref ../../none.yaml ${refused('none.yaml')}`]);
  });

  test('a link to a file', () => {
    symlinkSync(join(folder.path, 'secret.yaml'), join(folder.path, 'project/spec/schemas/link.yaml'));
    refer('schemas/link.yaml');
    expect(problemsOf()).toEqual([`6 $ref schemas/link.yaml ${refused()}`]);
  });

  test('a link to a folder, and a link to a link', () => {
    symlinkSync(join(folder.path, 'private'), join(folder.path, 'project/spec/one'));
    symlinkSync('one', join(folder.path, 'project/spec/two'));
    for (const name of ['one', 'two']) {
      refer(`${name}/secret.yaml`);
      expect(problemsOf()).toEqual([`6 $ref ${name}/secret.yaml ${refused('private/secret.yaml')}`]);
    }
  });

  test('from a part', () => {
    write('project/spec/schemas/b.yaml', '# A part.\nallOf:\n  - $ref: ../../../secret.yaml\n');
    refer('schemas/b.yaml');
    expect(problemsOf()).toEqual([`3 $ref ../../../secret.yaml ${refused()}`]);
  });

  test('a mapping of a discriminator', () => {
    write(
      'project/spec/openapi.yaml',
      `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    A: { discriminator: { propertyName: k, mapping: { a: ../../secret.yaml } }, oneOf: [{ $ref: schemas/a.yaml }] }\n`,
    );
    expect(problemsOf()).toEqual([expect.stringContaining(refused())]);
  });
});

test('a URL of a file is refused', () => {
  refer(pathToFileURL(join(folder.path, 'secret.yaml')).href);
  expect(problemsOf({ allowOutside: true })).toEqual([
    expect.stringMatching(/^6 \$ref file:.* is a URL: write the path of the file, relative to this one$/),
  ]);
});

test('without a package.json the project is the folder of the document', () => {
  rmSync(join(folder.path, 'project/package.json'));
  refer('../shared/a.yaml');
  expect(problemsOf()).toEqual([expect.stringContaining(`outside of the project ${join(folder.path, 'project/spec')}: `)]);
  refer('schemas/a.yaml');
  expect(problemsOf()).toEqual([]);
});

test('a link within the project is followed, and a project may be reached by a link', () => {
  symlinkSync('../shared', join(folder.path, 'project/spec/common'));
  symlinkSync('project', join(folder.path, 'alias'));
  refer('common/a.yaml');
  expect(problemsOf()).toEqual([]);
  expect(readDocument(join(folder.path, 'alias/spec/openapi.yaml')).files).toHaveLength(2);
});

test.each([
  ['the option', '{}', true],
  ['the field specwright.allowOutside of package.json', '{"specwright":{"allowOutside":true}}', undefined],
])('%s allows what is outside, for tools and for the start', async (_what, manifest, allowOutside) => {
  write('project/package.json', manifest);
  for (const $ref of ['../../secret.yaml', join(folder.path, 'secret.yaml')]) {
    refer($ref);
    const { digest, document } = readDocument(spec, { allowOutside });
    expect(document.components?.schemas).toMatchObject({ A: { description: 'secret' } });
    const generated = { digest, operations: operationTable(document), rateLimitPlans: null };
    expect((await loadContract(spec, generated as never, { allowOutside })).document.components?.schemas).toHaveProperty('A');
  }
});

test('what looks like a reference in data is not read', () => {
  write(
    'project/spec/openapi.yaml',
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    A: { example: { $ref: ../../secret.yaml }, x-a: { $ref: /etc/hostname } }\n`,
  );
  expect(problemsOf()).toEqual([]);
});
