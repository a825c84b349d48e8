/** The schemas of a client, for forms: the verdicts and texts of the server, texts of others, and what a bundle has of them. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { openContract } from '@specwright/contract';
import { isReadOnly, parseSource, type Schema } from '@specwright/contract/document';
import { bundleSpec } from '../../src/bundle/bundle-spec.ts';
import { createFolder, sourceOf, strictProblems, writeClient } from './support/client.ts';

const { folder, remove } = createFolder();
const petStore = createFolder();
afterAll(() => [remove, petStore.remove].forEach((end) => end()));
await writeClient(petStore.folder, parseSource('spec/petstore.yaml', bundleSpec('spec/petstore.yaml').text));
const loaded = (await import(join(petStore.folder, 'schemas.js'))) as object;
const constants = loaded as Readonly<Record<string, ValueSchema>>;
const { withTexts } = loaded as { withTexts: (schema: ValueSchema | undefined, texts: object) => ValueSchema };

const contract = await openContract('spec/petstore.yaml');
interface ValueSchema {
  readonly '~standard': { validate(value: unknown): { readonly value?: unknown; readonly issues?: Issues } };
}
const nameOf = (schema: string) => `${schema.charAt(0).toLowerCase()}${schema.slice(1)}Schema`;

type Issues = readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] | undefined;
/** Without formats that the server alone checks. */
const linesOf = (issues: Issues) =>
  issues
    ?.map(({ path, message }) => `${path.join('/')} ${message}`)
    .filter((line) => !/"(int32|int64|uri)"$/.test(line))
    .sort();

const TEXTS = [
  '',
  'Rex',
  'a'.repeat(2000),
  'a\u0000b',
  'a@example.com',
  '2026-02-30T00:00:00Z',
  '2026-12-24T12:00:00Z',
  'available',
  'https://example.com',
];
const OTHERS = [0, 1, -1, 1.5, 2 ** 53, true, null, [], {}, ['a', 'a'], { no: 1 }];

/** Values near those that a schema takes: each example, with each property changed, left out, or more than declared. */
function valuesNear(schema: Schema): unknown[] {
  const { examples = [] } = schema as { readonly examples?: readonly unknown[] };
  const changed = examples.flatMap((example) =>
    typeof example !== 'object' || example === null || Array.isArray(example)
      ? []
      : Object.keys(example).flatMap((key) => [
          { ...example, [key]: undefined },
          { ...example, more: 1 },
          ...[...TEXTS, ...OTHERS].map((value) => ({ ...example, [key]: value })),
        ]),
  );
  return [...examples, ...changed, ...TEXTS, ...OTHERS];
}

test('says of each value of each schema what the server says', () => {
  const declared = contract.document.components?.schemas ?? {};
  let refused = 0;
  for (const [name, schema] of Object.entries(declared)) {
    // Files are no texts yet, and what a server alone sends is not sent.
    if (/Bytes|NewPhoto/.test(name) || isReadOnly(schema)) continue;
    for (const value of valuesNear(schema)) {
      const expected = linesOf((contract.schemas as typeof constants)[name]?.['~standard'].validate(value).issues);
      const found = linesOf(constants[nameOf(name)]?.['~standard'].validate(value).issues);
      if (expected !== undefined) refused++;
      // Of alternatives the server knows which one was meant.
      const isChoice = found?.some((line) => line.endsWith('schema in oneOf')) === true;
      expect([name, value, isChoice || found]).toEqual([name, value, isChoice ? expected !== undefined : expected]);
    }
  }
  expect([Object.keys(declared).length, refused]).toEqual([Object.keys(constants).length - 1, expect.any(Number)]);
  expect(refused).toBeGreaterThan(1000);
});

test('texts are replaced by code, and are told what the keyword says', () => {
  const schema = withTexts(constants['newPetSchema'], {
    required: 'Please fill this in',
    minLength: ({ expected }: { expected: unknown }) => `At least ${String(expected)} character`,
  });
  expect(schema['~standard'].validate({ name: '' }).issues).toEqual([
    { path: ['categoryId'], code: 'required', expected: 'categoryId', message: 'Please fill this in' },
    { path: ['name'], code: 'minLength', expected: 1, message: 'At least 1 character' },
  ]);
  expect(schema['~standard'].validate({ name: 'Rex', categoryId: 1 })).toEqual({ value: { name: 'Rex', categoryId: 1 } });
});

test('accepts what the server alone can check, and contains itself', async () => {
  await writeClient(
    folder,
    sourceOf(`paths: { /a: { get: { operationId: a, responses: { '204': { description: ok } } } } }
components:
  schemas:
    Node: { type: object, properties: { id: { type: integer, readOnly: true }, children: { type: array, items: { $ref: '#/components/schemas/Node' } } }, required: [id] }
    Price: { type: number, multipleOf: 0.1, exclusiveMinimum: true, minimum: 0 }
    Any: { anyOf: [{ type: string, format: uri }, { $ref: '#/components/schemas/Price' }], not: { enum: [7] } }
    Point: { enum: [{ x: 1, y: [{ a: 1, b: 2 }] }] }
    Points: { type: array, uniqueItems: true, items: {} }
`),
  );
  const module = (await import(join(folder, 'schemas.js'))) as typeof constants;
  const issues = (name: string, value: unknown) => linesOf(module[name]?.['~standard'].validate(value).issues);
  expect(issues('nodeSchema', { children: [{ children: [] }, { children: [1] }] })).toEqual(['children/1/children/0 must be object']);
  expect([issues('priceSchema', 0.3), issues('priceSchema', 0), issues('priceSchema', 0.25)]).toEqual([
    undefined,
    [' must be > 0'],
    [' must be multiple of 0.1'],
  ]);
  expect([issues('anySchema', 'no uri'), issues('anySchema', true)]).toEqual([
    undefined,
    [' must be number', ' must be string', ' must match a schema in anyOf'],
  ]);
  // The order of properties does not count, that of items does.
  expect([
    issues('pointSchema', { y: [{ b: 2, a: 1 }], x: 1 }),
    issues('pointsSchema', [
      [1, 2],
      [2, 1],
    ]),
  ]).toEqual([undefined, undefined]);
  expect(
    issues('pointsSchema', [
      { x: 1, y: 2 },
      { y: 2, x: 1 },
    ]),
  ).toEqual([' must NOT have duplicate items']);
  writeFileSync(
    join(folder, 'use.ts'),
    `import type { StandardSchemaV1 } from '${resolve('node_modules/@standard-schema/spec/dist/index.js')}';
import type { NodeWritable } from './source/client.ts';
import { nodeSchema, withTexts } from './source/schemas.ts';
const result = withTexts(nodeSchema, { type: 'no' })['~standard'].validate({});
if (result.issues === undefined) result.value.children?.length;
// @ts-expect-error -- readOnly
result.value?.id;
nodeSchema satisfies StandardSchemaV1<NodeWritable>;
`,
  );
  expect(strictProblems(folder, ['use.ts', 'source/schemas.ts'])).toEqual([]);
});

test('a form bundles the schema that it imports, in less than 1.2 KB', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { newPetSchema } from './schemas.js';", resolveDir: petStore.folder },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  for (const other of ['shipDate', 'a-z0-9', 'multiple of', 'oneOf']) expect(text).not.toContain(other);
  expect(gzipSync(text).length).toBeLessThan(1229);
});
