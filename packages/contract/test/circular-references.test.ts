/** What refers to itself with nothing between is refused when it is read, with its file, line and names; recursion that ends is served. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openContract, validateRequest } from '@specwright/contract';
import { ContractError, readDocument } from '@specwright/contract/document';
import { readFast } from '../src/reading/source-document.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const folder = withFolder();
let spec: string;
beforeEach(() => {
  spec = join(folder.path, 'openapi.yaml');
});

/** `file:line message` of each problem of reading a document. */
function problems(files: Readonly<Record<string, string>>): string[] {
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  expect(readFast(spec)).toBeUndefined();
  try {
    readDocument(spec);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map(({ file = spec, line, message }) => `${relative(folder.path, file)}:${line} ${message}`);
  }
  throw new Error('the document was read');
}

const HEAD = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n`;
/** Its first component is in line 6. */
const schemas = (text: string, version = '3.1.0') =>
  `${HEAD.replace('3.1.0', version)}paths: {}\ncomponents:\n  schemas:\n${text.replace(/^/gm, '    ')}\n`;
const ref = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;

describe('schemas', () => {
  test.each([
    ['two by allOf', `Alice: { allOf: [${ref('Bob')}] }\nBob: { allOf: [${ref('Alice')}] }`, 7, 'Alice -> allOf -> Bob -> allOf -> Alice'],
    ['one by allOf', `A: { allOf: [${ref('A')}] }`, 6, 'A -> allOf -> A'],
    [
      'three by allOf',
      `A: { allOf: [${ref('B')}] }\nB: { allOf: [${ref('C')}] }\nC: { allOf: [{ type: object }, ${ref('A')}] }`,
      8,
      'A -> allOf -> B -> allOf -> C -> allOf -> A',
    ],
    ['by anyOf', `A: { anyOf: [{ type: string }, ${ref('A')}] }`, 6, 'A -> anyOf -> A'],
    ['by not', `A: { not: ${ref('A')} }`, 6, 'A -> not -> A'],
    ['by if and then', `A: { if: { type: object }, then: ${ref('A')} }`, 6, 'A -> then -> A'],
    ['by dependentSchemas', `A: { dependentSchemas: { x: ${ref('A')} } }`, 6, 'A -> dependentSchemas -> A'],
    ['beside a reference', `A: { $ref: '#/components/schemas/B', maxLength: 1 }\nB: { allOf: [${ref('A')}] }`, 7, 'A -> B -> allOf -> A'],
    [
      'within a property',
      `A: { properties: { x: { allOf: [{ $ref: '#/components/schemas/A/properties/x' }] } } }`,
      6,
      '#/components/schemas/A/properties/x -> allOf -> #/components/schemas/A/properties/x',
    ],
    ['by an identifier', `A: { $id: 'https://example.com/a', allOf: [{ $ref: a }] }`, 6, 'A -> allOf -> A'],
  ])('that contain themselves are refused: %s', (_what, text, line, chain) => {
    const [problem = '', ...others] = problems({ 'openapi.yaml': schemas(text) });
    expect(others).toEqual([]);
    expect(problem).toContain(`openapi.yaml:${line} `);
    expect(problem).toContain(`contains itself, so that no validation would end: ${chain}. Remove one of the references`);
  });

  test('of a parent that is one of its children are refused with both names, and what to remove', () => {
    const text = `Boolean:\n  oneOf: [${ref('IsTrue')}, ${ref('IsFalse')}]\nIsTrue: { allOf: [${ref('Boolean')}] }\nIsFalse: { allOf: [${ref('Boolean')}] }`;
    expect(problems({ 'openapi.yaml': schemas(text) })).toEqual([
      'openapi.yaml:8 Boolean contains itself, so that no validation would end: Boolean -> oneOf -> IsTrue -> allOf -> Boolean. Remove the parent from the `allOf` of the child, or the child from the alternatives',
      'openapi.yaml:9 Boolean contains itself, so that no validation would end: Boolean -> oneOf -> IsFalse -> allOf -> Boolean. Remove the parent from the `allOf` of the child, or the child from the alternatives',
    ]);
  });

  test.each([
    ['itself', `A: ${ref('A')}`, 6, 'A -> A'],
    ['each other', `A: ${ref('B')}\nB: ${ref('A')}`, 7, 'A -> B -> A'],
  ])('that are references to %s are refused, in 3.0 too', (_what, text, line, chain) => {
    for (const version of ['3.0.3', '3.1.0'])
      expect(problems({ 'openapi.yaml': schemas(text, version) })).toEqual([
        `openapi.yaml:${line} A refers to itself, and says nothing: ${chain}. Write out what one of them is`,
      ]);
  });

  test('of which many make a ring are named by the first and the last', () => {
    const text = Array.from({ length: 2000 }, (_, i) => `S${i}: { allOf: [${ref(`S${(i + 1) % 2000}`)}] }`).join('\n');
    const [problem = '', ...others] = problems({ 'openapi.yaml': schemas(text) });
    expect(others).toEqual([]);
    expect(problem).toMatch(/S0 -> allOf -> S1 .* more\) -> .*allOf -> S1999 -> allOf -> S0\./);
    expect(problem.length).toBeLessThan(300);
  });

  test('in several files are refused in the file that closes the ring', () => {
    const files = {
      'openapi.yaml': schemas('Alice: { $ref: alice.yaml }'),
      'alice.yaml': 'type: object\nallOf:\n  - $ref: bob.yaml\n',
      'bob.yaml': '# Bob.\nallOf:\n  - $ref: alice.yaml\n',
    };
    expect(problems(files)).toEqual([
      expect.stringMatching(/^bob\.yaml:3 Alice contains itself, .*: Alice -> allOf -> bob -> allOf -> Alice\./),
    ]);
  });
});

describe('references of other kinds', () => {
  test.each(['parameters', 'responses', 'headers', 'requestBodies', 'examples', 'links', 'callbacks', 'securitySchemes', 'pathItems'])(
    '%s that refer to each other, or to themselves, are refused',
    (section) => {
      const one = (name: string) => `{ $ref: '#/components/${section}/${name}' }`;
      expect(
        problems({
          'openapi.yaml': `${HEAD}paths: {}\ncomponents:\n  ${section}:\n    A: ${one('B')}\n    B: ${one('A')}\n    C: ${one('C')}\n`,
        }),
      ).toEqual([
        expect.stringMatching(/^openapi\.yaml:7 A refers to itself, and says nothing: A -> B -> A\./),
        expect.stringMatching(/^openapi\.yaml:8 C refers to itself, and says nothing: C -> C\./),
      ]);
    },
  );

  test('path items that refer to each other are refused', () => {
    const text = `${HEAD}paths:\n  /a: { $ref: '#/paths/~1b' }\n  /b: { $ref: '#/paths/~1a' }\n`;
    expect(problems({ 'openapi.yaml': text })).toEqual([expect.stringMatching(/^openapi\.yaml:[45] .*~1[ab] -> .*~1[ab] -> /)]);
  });

  test.each([
    ['path items', `paths:\n  /a: { $ref: a.yaml }\n`],
    ['schemas', `paths: {}\ncomponents:\n  schemas:\n    A: { $ref: a.yaml }\n`],
    ['responses', `paths: {}\ncomponents:\n  responses:\n    A: { $ref: a.yaml }\n`],
  ])('%s in files that refer to each other are refused', (_kind, text) => {
    const [problem = '', ...others] = problems({ 'openapi.yaml': HEAD + text, 'a.yaml': '$ref: b.yaml\n', 'b.yaml': '$ref: a.yaml\n' });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^openapi\.yaml:\d \$ref a\.yaml refers to itself, and says nothing: b\.yaml -> a\.yaml -> b\.yaml$/);
  });

  test('of the document by a file are refused', () => {
    const files = { 'openapi.yaml': schemas('A: { $ref: b.yaml#/B }'), 'b.yaml': "B: { $ref: 'openapi.yaml#/components/schemas/A' }\n" };
    expect(problems(files)).toEqual([
      'openapi.yaml:6 $ref b.yaml#/B refers to itself, and says nothing: b.yaml#/B -> openapi.yaml#/components/schemas/A -> b.yaml#/B',
    ]);
  });
});

test.each([
  [
    'properties',
    'Node: { type: object, properties: { next: { allOf: [{ $ref: "#/components/schemas/Node" }] } } }',
    { next: { next: {} } },
  ],
  [
    'items',
    'Node: { type: object, properties: { all: { type: array, items: { $ref: "#/components/schemas/Node" } } } }',
    { all: [{ all: [] }] },
  ],
  ['additionalProperties', 'Node: { type: object, additionalProperties: { $ref: "#/components/schemas/Node" } }', { a: { b: {} } }],
  [
    'a union of children',
    'Node: { oneOf: [{ type: string }, { $ref: "#/components/schemas/List" }] }\nList: { type: array, items: { $ref: "#/components/schemas/Node" } }',
    [['a'], 'b'],
  ],
  [
    'two that use each other',
    'Node: { type: object, properties: { b: { $ref: "#/components/schemas/B" } } }\nB: { type: object, properties: { a: { $ref: "#/components/schemas/Node" } } }',
    { b: { a: {} } },
  ],
  [
    'one schema twice',
    'Node: { allOf: [{ $ref: "#/components/schemas/B" }, { allOf: [{ $ref: "#/components/schemas/B" }] }] }\nB: { type: object }',
    {},
  ],
])('recursion that ends with the value is served: %s', async (_what, text, body) => {
  const paths = `paths:\n  /a:\n    post:\n      operationId: a\n      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } }\n      responses: { '204': { description: ok } }\n`;
  writeFileSync(spec, schemas(text).replace('paths: {}\n', paths));
  const contract = await openContract(spec);
  expect((await validateRequest(contract, 'a', { body })).problems).toEqual([]);
});
