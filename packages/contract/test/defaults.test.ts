/** Defaults are filled in where they belong: after validation, along the branches that a value matches. */
import { describe, expect, test } from '@jest/globals';
import { createSchemaCompiler } from '../src/schema/model-of.ts';

type Schemas = Readonly<Record<string, object>>;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** What a handler gets of a value; the problems of one that is refused. */
function filled(schemas: Schemas, value: unknown, openapi = '3.1.0'): unknown {
  const document = { openapi, info: { title: 'T', version: '1' }, paths: {}, components: { schemas } };
  const validate = createSchemaCompiler(document, 'request')('#/components/schemas/Body');
  const given = structuredClone(value);
  return validate(given) ? given : validate.errors?.map(({ keyword }) => keyword);
}

const IBAN = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'iban'],
  properties: { type: { enum: ['iban'] }, iban: { type: 'string' } },
};
const US = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: { type: { enum: ['us'] }, accountType: { type: 'string', default: 'checking' } },
};

describe.each([
  ['a $ref', { Iban: IBAN, Us: US, Body: { oneOf: [ref('Us'), ref('Iban')] } }],
  ['written in place', { Body: { oneOf: [US, IBAN] } }],
  ['a $ref of anyOf', { Iban: IBAN, Us: US, Body: { anyOf: [ref('Us'), ref('Iban')] } }],
])('a branch that is %s', (_, schemas) => {
  test('which does not match leaves nothing in the value', () => {
    expect(filled(schemas, { type: 'iban', iban: 'X' })).toEqual({ type: 'iban', iban: 'X' });
  });

  test('which matches has its defaults', () => {
    expect(filled(schemas, { type: 'us' })).toEqual({ type: 'us', accountType: 'checking' });
  });

  test('is the same below a property, in a list and in a map', () => {
    const Body = {
      type: 'object',
      properties: { one: ref('Part'), list: { type: 'array', items: ref('Part') } },
      additionalProperties: ref('Part'),
    };
    const nested = { ...schemas, Part: schemas.Body, Body };
    const [us, iban] = [{ type: 'us' }, { type: 'iban', iban: 'X' }];
    const full = { type: 'us', accountType: 'checking' };
    expect(filled(nested, { one: us, list: [iban, us], any: us })).toEqual({ one: full, list: [iban, full], any: full });
  });
});

test('what may also be null or a text has none of an object', () => {
  const Body = { type: ['object', 'null', 'string'], additionalProperties: withDefault('a', 1) };
  for (const value of [null, 'text']) expect(filled({ Body }, value)).toBe(value);
  expect(filled({ Body }, { one: {} })).toEqual({ one: { a: 1 } });
});

/** Each schema, a value, and the value that the handler gets. */
const CASES: readonly (readonly [string, Schemas, unknown, unknown])[] = [
  ['of all branches of anyOf that match', { Body: { anyOf: [withDefault('a', 1), withDefault('b', 2)] } }, {}, { a: 1, b: 2 }],
  ['above an exclusive minimum', { Body: { properties: { a: { type: 'integer', exclusiveMinimum: 0, default: 1 } } } }, {}, { a: 1 }],
  ['of the first part of an allOf that has one', { Body: { allOf: [withDefault('a', 1), withDefault('a', 2)] } }, {}, { a: 1 }],
  ['of then, where if matches', { Body: conditional() }, { kind: 'x' }, { kind: 'x', a: 1 }],
  ['of else, where it does not', { Body: conditional() }, { kind: 'y' }, { kind: 'y', b: 2 }],
  [
    'of a dependent schema',
    { Body: { type: 'object', dependentSchemas: { card: withDefault('cvc', '') } } },
    { card: 1 },
    { card: 1, cvc: '' },
  ],
  ['but not without what it depends on', { Body: { type: 'object', dependentSchemas: { card: withDefault('cvc', '') } } }, {}, {}],
  ['below a default', { Body: { type: 'object', properties: { deep: { ...withDefault('a', 1), default: {} } } } }, {}, { deep: { a: 1 } }],
  [
    'of patternProperties',
    { Body: { type: 'object', patternProperties: { '^x': withDefault('a', 1) } } },
    { x1: {}, y: {} },
    { x1: { a: 1 }, y: {} },
  ],
  [
    'of items by their place',
    { Body: { type: 'array', prefixItems: [withDefault('a', 1)], items: withDefault('b', 2) } },
    [{}, {}],
    [{ a: 1 }, { b: 2 }],
  ],
  [
    'of a schema that contains itself',
    { Body: { type: 'object', properties: { n: { default: 1 }, next: ref('Body') } } },
    { next: { next: {} } },
    { n: 1, next: { n: 1, next: { n: 1 } } },
  ],
  ['of no part of `not`', { Body: { type: 'object', not: withDefault('a', 1, ['b']) } }, {}, {}],
  ['never in place of what was sent', { Body: withDefault('a', 1) }, { a: null }, { a: null }],
];

function withDefault(name: string, value: unknown, required: string[] = []) {
  return { type: 'object', required, properties: { [name]: { default: value } } };
}
function conditional() {
  return { type: 'object', if: { properties: { kind: { const: 'x' } } }, then: withDefault('a', 1), else: withDefault('b', 2) };
}

test.each(CASES)('defaults %s', (_, schemas, value, expected) => {
  expect(filled(schemas, value)).toEqual(expected);
});

test('a required property has to be sent, also if it has a default (JSON Schema 2020-12, validation, section 9.2)', () => {
  expect(filled({ Body: withDefault('a', 1, ['a']) }, {})).toEqual(['required']);
});

test('a default is another value for each request', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {},
    components: { schemas: { Body: withDefault('list', []) } },
  };
  const validate = createSchemaCompiler(document as never, 'request')('#/components/schemas/Body');
  const [one, other]: { list?: unknown[] }[] = [{}, {}];
  for (const value of [one, other]) validate(value);
  one?.list?.push(1);
  expect([one, other]).toEqual([{ list: [1] }, { list: [] }]);
});

test('a value that is refused is left as it was sent', () => {
  const Body = { type: 'object', properties: { a: { default: 1 }, b: { type: 'integer' } } };
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components: { schemas: { Body } } };
  const value = { b: 'x' };
  expect(createSchemaCompiler(document as never, 'request')('#/components/schemas/Body')(value)).toBe(false);
  expect(value).toEqual({ b: 'x' });
});
