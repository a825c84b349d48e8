/** Every file of a document is read by one parser: merge keys, aliases, duplicate keys, closing brackets, and lines through all of these. */
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { checkDocument, ContractError, parseYaml, readDocument } from '@specwright/contract/document';
import { openContract, validateRequest } from '@specwright/contract';
import { parseFast } from '../src/reading/load-yaml.ts';
import { readFast } from '../src/reading/source-document.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const folder = withFolder();
let spec: string;
beforeEach(() => {
  spec = join(folder.path, 'openapi.yaml');
});

const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    folder.write(name, text);
  }
};

const HEAD = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n`;

/** A document whose operation takes the schema of a part. */
const takes = (schema: string) => `${HEAD}paths:
  /x:
    post:
      operationId: x
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: ok } }
`;

/** `file:line:column message` of each problem of reading or checking the document. */
async function problems(): Promise<string[]> {
  const listed = await (async () => checkDocument(readDocument(spec)))().catch((error: unknown) => {
    if (!(error instanceof ContractError)) throw error;
    return error.problems;
  });
  return listed.map(({ file = spec, line, column, message }) => `${relative(folder.path, file)}:${line}:${column} ${message}`);
}

describe('merge keys', () => {
  const BASE = 'base: &b { type: object, required: [id], properties: { id: { type: integer } } }\n';
  const PART = `${BASE}C:\n  type: object\n  required: [inner]\n  properties:\n    inner:\n      <<: *b\nD:\n  <<: *b\n  description: x\n`;

  test.each([
    [
      'in a part, within a schema',
      { 'openapi.yaml': takes('{ $ref: s/b.yaml#/C }'), 's/b.yaml': PART },
      { inner: { id: 'x' } },
      { inner: { id: 1 } },
    ],
    ['in a part, as a whole schema', { 'openapi.yaml': takes('{ $ref: s/b.yaml#/D }'), 's/b.yaml': PART }, { id: 'x' }, { id: 1 }],
    [
      'in the document, of several files',
      {
        'openapi.yaml': `${takes('{ <<: *b }').replace('paths', `x-${BASE}paths`)}components: { schemas: { S: { $ref: s.yaml } } }\n`,
        's.yaml': 'type: string\n',
      },
      {},
      { id: 1 },
    ],
    ['in a document of one file', { 'openapi.yaml': takes('{ <<: *b }').replace('paths', `x-${BASE}paths`) }, {}, { id: 1 }],
  ])('%s, are validated', async (_where, files, refused, accepted) => {
    write(files);
    expect(await problems()).toEqual([]);
    const contract = await openContract(spec);
    const validate = async (body: object) => (await validateRequest(contract, 'x', { body })).problems;
    expect(await validate(accepted)).toEqual([]);
    expect(await validate(refused)).not.toEqual([]);
    expect(JSON.stringify(readDocument(spec).published)).not.toContain('<<');
  });

  test.each([
    [
      'own keys win, wherever the merge is',
      'b: &b {x: 1, y: 2}\nc: {<<: *b, x: 3}\nd: {x: 3, <<: *b}\n',
      { c: { x: 3, y: 2 }, d: { x: 3, y: 2 } },
    ],
    ['of a list the first wins', 'a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc: {<<: [*a, *b]}\n', { c: { x: 1, z: 3 } }],
    ['a list may have an anchor', 'a: &a [{x: 1}, {y: 2}]\nc: {<<: *a}\n', { c: { x: 1, y: 2 } }],
    ['they nest', 'a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n', { c: { x: 1, y: 2, z: 3 } }],
    ['a map may be written in place', 'c: {<<: {x: 1}}\n', { c: { x: 1 } }],
    ['a map may have two', 'a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc:\n  <<: *a\n  <<: *b\n', { c: { x: 1, y: 2 } }],
    ['in quotes `<<` is a key', 'c: {"<<": {x: 1}}\n', { c: { '<<': { x: 1 } } }],
    ['in JSON `<<` is a key', '{"c": {"<<": {"x": 1}}}', { c: { '<<': { x: 1 } } }],
  ])('%s, with and without lines', (_what, text, expected) => {
    expect(parseYaml('a.yaml', text).toJS()).toMatchObject(expected);
    // What the fast parser refuses the other one reads.
    if (!text.includes('<<: *a\n')) expect(parseFast(text)).toEqual(parseYaml('a.yaml', text).toJS());
  });

  test.each([
    ['a text', 'c: {<<: x}\n', '1:5'],
    ['nothing', 'a: 1\nc:\n  <<:\n  x: 1\n', '3:3'],
    ['a list that has more than maps', 'a: &a {x: 1}\nc: {<<: [*a, 1]}\n', '2:5'],
    ['itself', 'a: &a\n  x: 1\n  <<: *a\n', '3:7'],
  ])('%s cannot be merged', (_what, text, at) => {
    expect(() => parseYaml('a.yaml', text)).toThrow(
      new RegExp(`a\\.yaml:${at} (\`<<\` merges maps: write|the alias \\*a is within its own anchor)`),
    );
  });

  test('the document that is served to others has none, and the start reads it with and without lines', () => {
    write({ 'openapi.yaml': takes('{ <<: *b }').replace('paths', `x-${BASE}paths`) });
    const [fast, whole] = [readFast(spec), readDocument(spec)];
    expect(fast?.digest).toBe(whole.digest);
    for (const source of [fast, whole]) expect(source?.text).not.toContain('<<');
  });
});

describe('lines', () => {
  test('are those of what an alias or a merge key repeats', () => {
    write({
      'openapi.yaml': takes('{ $ref: b.yaml#/C }'),
      'b.yaml': 'base: &b\n  type: object\n  required: [id]\nC:\n  <<: *b\n  properties:\n    again: *b\n',
    });
    const { locate } = readDocument(spec);
    const line = (...keys: string[]) => locate(['components', 'schemas', 'C', ...keys]).line;
    expect([line('required'), line('properties', 'again'), line('properties', 'again', 'required')]).toEqual([3, 7, 3]);
  });

  test('a problem that an alias repeats is one', async () => {
    write({ 'openapi.yaml': takes('{ type: object, properties: { a: &a { type: 5 }, b: *a, c: *a } }') });
    expect(await problems()).toHaveLength(1);
  });
});

describe('a key that is there twice', () => {
  test.each([
    ['in a block', 'a: 1\nb: 2\na: 3\n', '3:1'],
    ['in braces', 'm: { x: 1, x: 2 }\n', '1:12'],
    ['as a number and a text', 'm:\n  200: 1\n  "200": 2\n', '3:3'],
    ['in JSON', '{\n  "a": 1,\n  "a": 2\n}', '3:3'],
  ])('%s, is refused with both lines', (_where, text, at) => {
    expect(() => parseYaml('a.yaml', text)).toThrow(new RegExp(`a\\.yaml:${at} the key \`\\w+\` is there twice, first in line [12]:`));
  });

  test('in a part, too', async () => {
    write({
      'openapi.yaml': takes('{ $ref: b.yaml }'),
      'b.yaml': 'type: object\nproperties:\n  a: { type: string }\n  a: { type: integer }\n',
    });
    expect(await problems()).toEqual([
      expect.stringMatching(/^b\.yaml:4:3 the key `a` is there twice, first in line 3: .*read for the \$ref at/),
    ]);
  });
});

describe('aliases', () => {
  test('may be many', () => {
    const text = `a: &a { x: 1 }\nl:\n${'  - *a\n'.repeat(5000)}`;
    expect((parseYaml('a.yaml', text).toJS() as { l: unknown[] }).l).toHaveLength(5000);
    expect(parseFast(text)).toEqual(parseYaml('a.yaml', text).toJS());
  });

  const levels = (repeat: (name: string) => string) =>
    `a0: &a0 { x: [1, 2] }\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} ${repeat(`*a${i}`)}\n`).join('')}`;
  test.each([
    ['lists of them', levels((alias) => `[${Array(9).fill(alias).join(', ')}]`)],
    ['maps of them', levels((alias) => `{ a: ${alias}, b: ${alias}, c: ${alias} }`)],
    ['merged lists of them', levels((alias) => `{ <<: [${alias}, ${alias}], y: ${alias}, z: ${alias} }`)],
    ['a long text, often', `a: &a "${'x'.repeat(100_000)}"\nl: [${Array(1000).fill('*a').join(', ')}]\n`],
  ])('that repeat more than 8 Mi characters are refused with their line: %s', (_what, text) => {
    const began = performance.now();
    expect(() => parseYaml('a.yaml', text)).toThrow(
      /^a\.yaml: 1 problem\n {2}a\.yaml:\d+:\d+ .* repeat more than 8 Mi characters: write less by aliases$/,
    );
    expect(() => parseFast(text)).toThrow();
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test('within their own anchor are refused', () => {
    expect(() => parseYaml('a.yaml', 'a: &a\n  b: [*a]\n')).toThrow('a.yaml:2:7 the alias *a is within its own anchor');
    expect(() => parseFast('a: &a\n  b: [*a]\n')).toThrow();
  });

  test('nested too deeply is refused with a line, and no stack', () => {
    expect(() => parseYaml('a.yaml', `a: ${'['.repeat(20_000)}`)).toThrow(/a\.yaml:1:\d+ lists and maps are nested too deeply/);
  });
});

describe('a closing bracket at the indentation of its key', () => {
  const operation = (indent: string) =>
    ['get:', '  operationId: a', '  responses:', "    '200':", '      description: ok', '      content:', '        application/json:']
      .concat(['          example: {', '            "a": 1', '          }', ''])
      .map((line) => indent + line)
      .join('\n');

  test.each([
    ['in the document', { 'openapi.yaml': `${HEAD}paths:\n  /a:\n${operation('    ')}` }, 'openapi.yaml', 14],
    ['in a part', { 'openapi.yaml': `${HEAD}paths:\n  /a: { $ref: a.yaml }\n`, 'a.yaml': operation('') }, 'a.yaml', 10],
  ])('%s is accepted, with a warning, and no other parser sees it', async (_where, files, name, line) => {
    write(files);
    expect(await problems()).toEqual([]);
    const { warnings, text } = readDocument(spec);
    const places = warnings.map(({ file = spec, line, message }) => `${relative(folder.path, file)}:${line} ${message}`);
    expect(places).toEqual([`${name}:${line} this bracket is not indented more than its key, and other parsers of YAML refuse it`]);
    expect(JSON.parse(text)).toMatchObject({ paths: { '/a': { get: { operationId: 'a' } } } });
  });

  test.each([
    ['a list', 'a:\n  e: [\n    1\n  ]\nb: 1\n', 4],
    ['at the root', 'e: [\n  1\n]\nb: 1\n', 3],
    ['within a list', 'l:\n  - e: [\n      1\n    ]\n  - b: 1\n', 4],
    ['after a dash', 'l:\n- {\n  a: 1\n}\n', 4],
  ])('%s', (_what, text, line) => {
    const { closingBrackets, locationAt } = parseYaml('a.yaml', text);
    expect(closingBrackets.map((offset) => locationAt(offset).line)).toEqual([line]);
  });

  test.each([
    ['indented by one more', 'a:\n  e: [\n    1\n   ]\n'],
    ['on the line of a value', 'a:\n  e: [\n    1 ]\n'],
    ['in JSON', '{\n"a": [\n1\n]\n}\n'],
  ])('one that is %s is none', (_what, text) => {
    expect(parseYaml('a.yaml', text).closingBrackets).toEqual([]);
  });

  test.each([
    ['a bracket before its key', 'a:\n  e: [\n    1\n ]\n'],
    ['a value at the indentation of its key', 'a:\n  e: [\n  1\n  ]\n'],
    ['a key between two indentations', 'a:\n    b: 1\n  c: 2\n'],
    ['a bracket that is missing', 'a:\n  e: [\n    1\nb: 1\n'],
  ])('%s is an error', (_what, text) => {
    expect(() => parseYaml('a.yaml', text)).toThrow(ContractError);
  });
});
