/** A built server reads the document that was generated, and never one that is not what the spec says. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loadContract } from '@specwright/contract';
import { checkDocument, operationTable, parseSource, proveSpec, readDocument, type ProvenSpec } from '@specwright/contract/document';

const SPEC = 'packages/server/test/types/library/openapi.yaml';
const global = globalThis as { SPECWRIGHT_SPECS?: readonly ProvenSpec[] | undefined };

const { digest, published, document } = readDocument(SPEC);

let folder: string;
let spec: string;
let generated: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'generated-document-'));
  spec = join(folder, 'openapi.yaml');
  generated = join(folder, 'document.json');
  copyFileSync(SPEC, spec);
  writeFileSync(generated, `${JSON.stringify(published, null, 2)}\n`);
  global.SPECWRIGHT_SPECS = prove();
  expect(global.SPECWRIGHT_SPECS).toHaveLength(1);
});
afterEach(() => {
  delete global.SPECWRIGHT_SPECS;
  rmSync(folder, { recursive: true });
});

const prove = () => [proveSpec(spec, generated)].filter((proven) => proven !== undefined);
const edit = (file: string, from: RegExp, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
const load = () => loadContract(spec, { digest, operations: operationTable(document) } as never);

/** Which of the two files was read: the parsers of YAML and of JSON are told apart by what they are called with. */
async function fileRead(): Promise<'spec' | 'generated'> {
  const parsed = jest.spyOn(JSON, 'parse');
  try {
    await load();
    return parsed.mock.calls.length > 0 ? 'generated' : 'spec';
  } finally {
    parsed.mockRestore();
  }
}

test('the generated document is read, and the spec is served as it is written', async () => {
  expect(await fileRead()).toBe('generated');
  const contract = await load();
  expect(contract.document).toEqual(document);
  expect(contract.toYaml()).toBe(readFileSync(SPEC, 'utf8'));
});

test('ends of lines that git has changed are no change', async () => {
  for (const file of [spec, generated]) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
  expect(await fileRead()).toBe('generated');
});

test.each<[string, () => void]>([
  ['there was no build', () => (global.SPECWRIGHT_SPECS = undefined)],
  ['the build had no proof', () => (global.SPECWRIGHT_SPECS = [])],
  ['a comment was written into the spec after the build', () => edit(spec, /$/, '# A comment.\n')],
  ['the generated document was edited after the build', () => edit(generated, /Library/, 'Edited')],
  ['the generated document is missing', () => rmSync(generated)],
])('the spec is read if %s', async (_case, change) => {
  change();
  expect(await fileRead()).toBe('spec');
  expect((await load()).title).toBe('Library');
});

test('of several specs each has its proof', async () => {
  const [proven] = prove();
  global.SPECWRIGHT_SPECS = proven === undefined ? [] : [{ ...proven, content: 'another' }, proven];
  expect(await fileRead()).toBe('generated');
});

test('a build has no proof if the generated document is not what the spec says', () => {
  edit(generated, /Library/, 'Edited');
  expect(proveSpec(spec, generated)).toBeUndefined();
  rmSync(generated);
  expect(proveSpec(spec, generated)).toBeUndefined();
});

test('a spec that has another content than was generated from is refused, built or not', async () => {
  edit(spec, /title: Library/, 'title: Edited');
  await expect(load()).rejects.toThrow('generated/ was made from another version of this file: run `npm run generate`');
  edit(generated, /Library/, 'Edited');
  global.SPECWRIGHT_SPECS = prove();
  expect(global.SPECWRIGHT_SPECS).toHaveLength(1);
  await expect(load()).rejects.toThrow('run `npm run generate`');
});

test('a document that everything was generated from is not checked again, and has the same lines', async () => {
  const text = readFileSync(spec, 'utf8');
  const [fast, slow] = [parseSource(spec, text, { generatedDigest: digest }), parseSource(spec, text)];
  expect([fast.wasChecked, slow.wasChecked]).toEqual([true, false]);
  const { locate, writtenAt, ...same } = fast;
  expect(slow).toMatchObject({ ...same, wasChecked: false });
  for (const path of [
    ['info', 'title'],
    ['paths', Object.keys(document.paths)[0] ?? ''],
    ['no', 'such', 'part'],
  ]) {
    expect(locate(path)).toEqual(slow.locate(path));
    expect(writtenAt(path)).toEqual(slow.writtenAt(path));
  }
  // Another one is.
  const changed = parseSource(spec, text.replace(/operationId: (\w+)/, 'operationID: $1'), { generatedDigest: digest });
  expect(changed.wasChecked).toBe(false);
  expect(await checkDocument(changed)).not.toEqual([]);
  expect(() => parseSource(spec, `${text}\n: x: y`, { generatedDigest: digest })).toThrow();
});
