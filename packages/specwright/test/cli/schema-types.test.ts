/** A type accepts a value exactly when the validator does, as far as TypeScript can say it. One program checks all rows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { createSchemaCompiler, parseSource, pointerTo, type CompileSchemaAt } from '@specwright/contract/document';
import { openapiTypes } from '../../src/generate/openapi-types.ts';
import { checkTypes } from './support/native-compiler.ts';
import { SCHEMA_ROWS } from './support/schema-rows/index.ts';
import type { SchemaRow } from './support/schema-rows/row.ts';
import { SHARED_SCHEMAS } from './support/schema-rows/shared-schemas.ts';

const nameOf = (i: number): string => `Row${i}`;
/** A row refers to itself as `Row`. */
const schemaOf = ({ schema }: SchemaRow, i: number): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/Row', `#/components/schemas/${nameOf(i)}`));

const source = parseSource(
  'rows.json',
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Rows', version: '1' },
    paths: {},
    components: { schemas: { ...SHARED_SCHEMAS, ...Object.fromEntries(SCHEMA_ROWS.map((row, i) => [nameOf(i), schemaOf(row, i)])) } },
  }),
);

const MARKED = { request: 'Writable', response: 'Readable' };
const valuesOf = ({ valid, invalid, wider: [, ...wider] = [''], undeclared = [] }: SchemaRow): unknown[] => [
  ...valid,
  ...invalid,
  ...wider,
  ...undeclared,
];

/** Of each value of each row, whether it compiles. */
const compiles: boolean[][] = [];
const compilers: Record<'request' | 'response', CompileSchemaAt> = {
  request: createSchemaCompiler(source.document, 'request'),
  response: createSchemaCompiler(source.document),
};

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'schema-types-'));
  try {
    writeFileSync(join(folder, 'openapi.ts'), openapiTypes(source));
    const lines = SCHEMA_ROWS.flatMap((row, i) => {
      const schema = `components['schemas']['${nameOf(i)}']`;
      const type = row.direction === undefined ? schema : `${MARKED[row.direction]}<${schema}>`;
      return valuesOf(row).map((value, j) => `export const v${i}_${j}: ${type} = ${JSON.stringify(value)};`);
    });
    writeFileSync(join(folder, 'values.ts'), [`import type { components, Readable, Writable } from './openapi.ts';`, ...lines].join('\n'));
    const problems = checkTypes(folder, ['values.ts'], {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      types: [],
    });
    expect(problems.filter(({ file }) => file !== 'values.ts')).toEqual([]);
    const refused = new Set(problems.map(({ line }) => line - 2));
    let next = 0;
    for (const row of SCHEMA_ROWS) compiles.push(valuesOf(row).map(() => !refused.has(next++)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);

test.each(SCHEMA_ROWS.map((row, i) => [row.name, row, i] as const))('%s', (_name, row, i) => {
  const { valid, invalid, wider: [, ...wider] = [''], undeclared = [], direction = 'response' } = row;
  const validate = compilers[direction](pointerTo('components', 'schemas', nameOf(i)));
  const found = valuesOf(row).map((value, j) => ({ value, validator: validate(structuredClone(value)), types: compiles[i]?.[j] }));
  const expected = (values: readonly unknown[], validator: boolean, types: boolean) => values.map((value) => ({ value, validator, types }));
  expect(found).toEqual([
    ...expected(valid, true, true),
    ...expected(invalid, false, false),
    ...expected(wider, false, true),
    ...expected(undeclared, true, false),
  ]);
});

test('each of a hundred rows has a name of its own', () => {
  expect(SCHEMA_ROWS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(SCHEMA_ROWS.map(({ name }) => name)).size).toBe(SCHEMA_ROWS.length);
});
