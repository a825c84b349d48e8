/** Nested `allOf`s that reach a schema on many paths validate it once, with the same verdicts and errors. */
import { expect, test } from '@jest/globals';
import type { Document, Schema } from '../src/document/openapi.ts';
import { createFlattenAllOf } from '../src/schema/flatten-all-of.ts';
import { createSchemaCompiler } from '../src/schema/model-of.ts';

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const documentOf = (schemas: Record<string, object>): Document => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: { schemas },
});

/** Each level has a property of its own, which is required, and refers to the one below by two schemas. */
function levels(count: number, more: (level: number) => object = () => ({})): Record<string, object> {
  const schemas: Record<string, object> = { S0: { type: 'object', required: ['p0'], properties: { p0: { type: 'integer' } } } };
  for (let level = 1; level <= count; level++) {
    schemas[`L${level}`] = { allOf: [refTo(`S${level - 1}`)], properties: { [`p${level}`]: { type: 'integer' } }, ...more(level) };
    schemas[`R${level}`] = { allOf: [refTo(`S${level - 1}`), { required: [`p${level}`] }] };
    schemas[`S${level}`] = { allOf: [refTo(`L${level}`), refTo(`R${level}`)] };
  }
  return schemas;
}
const valueOf = (count: number, changed: object = {}) => ({
  ...Object.fromEntries(Array.from({ length: count + 1 }, (_, level) => [`p${level}`, level])),
  ...changed,
});

test('every part is validated, once', () => {
  const validate = createSchemaCompiler(documentOf(levels(24)))('#/components/schemas/S24');
  expect(validate(valueOf(24))).toBe(true);
  for (const level of [0, 1, 12, 24]) {
    expect(validate(valueOf(24, { [`p${level}`]: 'x' }))).toBe(false);
    expect(validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([`/p${level} must be integer`]);
    expect(validate(valueOf(24, { [`p${level}`]: undefined }))).toBe(false);
  }
  expect(validate(7)).toBe(false);
});

test('a schema whose parts say what it evaluates is not taken apart', () => {
  const schemas = levels(6, (level) => (level === 3 ? { unevaluatedProperties: false } : {}));
  const validate = createSchemaCompiler(documentOf({ ...schemas, S6: { ...schemas['S6'], unevaluatedProperties: false } }))(
    '#/components/schemas/S6',
  );
  expect(validate({ p0: 0, p1: 1, p2: 2, p3: 3, p4: 4, p5: 5, p6: 6 })).toBe(false);
  const upper = createSchemaCompiler(documentOf({ ...levels(6), T: { allOf: [refTo('S6')], unevaluatedProperties: false } }))(
    '#/components/schemas/T',
  );
  expect(upper(valueOf(6))).toBe(true);
  expect(upper(valueOf(6, { more: 1 }))).toBe(false);
});

test('schemas of few paths are left as they are', () => {
  const schemas = levels(1);
  const document = documentOf(schemas);
  expect(createFlattenAllOf(document)(schemas['S1'] as Schema)).toBe((schemas['S1'] as { allOf: unknown }).allOf);
});
