/** Values that are made of a schema are values of it: one schema for each construct of JSON Schema 2020-12, as Ajv reads it. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { valueOf, createWitness, type Json } from 'specwright/testing';
import { KNOWN_FORMATS, modelOf, type Schema } from '@specwright/contract/document';
import { listOperations, parseDocument } from '../../src/testing/contract/document.ts';
import { buildValue } from '../../src/testing/contract/values/build-value.ts';
import { fillIn } from '../../src/testing/contract/values/fill-in.ts';
import { nearbyValues } from '../../src/testing/contract/values/leaf-values.ts';
import { sampleRequest } from '../../src/testing/contract/values/sample.ts';
import { schemaCheckOf } from '../../src/testing/contract/values/schema-check.ts';
import { viewSchema } from '../../src/schema/schema-view.ts';
import { listVariants, requestSchemas } from '../../src/testing/contract/values/variants.ts';
import { COMPONENTS, SCHEMAS } from './json-schemas.ts';

const rows = Object.entries(SCHEMAS);
const nameOf = (name: string): string => `Row${rows.findIndex(([row]) => row === name)}`;
const ROWS = Object.fromEntries(rows.map(([name, schema]) => [nameOf(name), schema]));
const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, components: { schemas: COMPONENTS } };
/** As the walk reads it. */
const model = modelOf({ ...document, paths: {}, components: { schemas: { ...COMPONENTS, ...ROWS } as never } });
const modelled = (name: string): Schema => model.components?.schemas?.[nameOf(name)] ?? {};

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
addFormats.default(ajv, { mode: 'full' });
const validators = new Map<unknown, ReturnType<typeof ajv.compile>>();

/** What is wrong with a value, as a validator says that has no part in making it. */
function problemsOf(schema: object | boolean, value: unknown): string[] {
  const whole = { ...(typeof schema === 'boolean' ? { allOf: [schema] } : schema), components: document.components };
  const validate = validators.get(schema) ?? ajv.compile(whole);
  validators.set(schema, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors)];
}

describe('a value is made that its schema accepts, of', () => {
  test.each(rows)('%s', async (name, schema) => {
    const value = await valueOf({ ...model }, modelled(name));
    expect({ value, problems: problemsOf(schema, value) }).toEqual({ value, problems: [] });
  });
});

/** A value with all its optional parts. */
function completeValue(schema: Schema): unknown {
  const check = schemaCheckOf({ ...model }, 'request');
  const options = {
    document: { ...model },
    direction: 'request',
    isValid: check.isValid,
    include: 'all',
    picks: new Map(),
    branches: new Set<string>(),
    present: [],
    omitted: [],
  } as const;
  return buildValue(options, [check.locate(schema)], 'body', { given: [], examples: [] });
}

test.each(rows)('a value with all optional parts is valid: %s', (name, schema) => {
  const value = completeValue(modelled(name));
  expect({ value, problems: problemsOf(schema, value) }).toEqual({ value, problems: [] });
});

test('a value with all optional parts has an entry of a map', () => {
  const { a, ...others } = completeValue(modelled('required in a map')) as Record<string, number>;
  expect([a, ...Object.values(others)]).toEqual([expect.any(Number), expect.any(Number)]);
});

test.each([
  ['date', '2026-12-31', '2027-01-01'],
  ['date-time', '2026-12-31T12:00:00Z', '2027-01-01T12:00:00.000Z'],
])('the nearest other value of a %s is the next day', (format, value, next) => {
  const view = viewSchema({ ...model }, [{ value: { type: 'string', format } as Schema, pointer: '#' }]);
  expect([...nearbyValues(value, view)][0]).toBe(next);
});

test('a list that needs an item of which there is no value cannot be made', async () => {
  const items = { type: 'array', items: { type: 'string', minLength: 2, maxLength: 1 } };
  await expect(valueOf(document, { ...items, minItems: 1 } as object)).rejects.toThrow('no value can be made for value/0');
});

test.each<[name: string, items: object]>([
  ['of which there is no value', { type: 'string', minLength: 2, maxLength: 1 }],
  [
    'that its parts contradict',
    { required: ['a'], additionalProperties: false, allOf: [{ type: 'object', properties: { a: { type: 'integer' } } }] },
  ],
])('a list needs no item %s', async (_name, items) => {
  expect(await valueOf(document, { type: 'array', items } as object)).toEqual([]);
  const list = { type: 'object', required: ['list'], properties: { list: { type: 'array', items } } };
  expect(await valueOf(document, list as object)).toEqual({ list: [] });
  await expect(valueOf(document, { type: 'array', items, minItems: 1 } as object)).rejects.toThrow('no value can be made for value');
});

test.each(KNOWN_FORMATS.filter((format) => !['int32', 'int64', 'float', 'double'].includes(format)))(
  'a text of the format %s is made without an example',
  async (format) => {
    const schema = { type: 'object', required: ['webhook url'], properties: { 'webhook url': { type: 'string', format } } };
    const value = await valueOf(document, schema as object);
    const check = schemaCheckOf({ ...document, components: { schemas: { Sent: schema } } }, 'request');
    expect(check.problems('#/components/schemas/Sent', value)).toEqual([]);
  },
);

/** A document with one operation, whose body is of the schema. */
const withBody = (schema: unknown, more: object = {}, openapi = '3.1.0') => ({
  ...document,
  openapi,
  paths: {
    '/things': {
      post: {
        operationId: 'addThing',
        requestBody: { required: true, content: { 'application/json': { schema, ...more } } },
        responses: { '204': { description: 'Done.' } },
      },
    },
  },
});

test('a value of a response has what is only read, and nothing that is only written', async () => {
  const properties = { id: { type: 'integer', readOnly: true }, secret: { type: 'string', writeOnly: true } };
  const schema: object = { type: 'object', required: ['id', 'secret'], properties };
  expect(await valueOf(document, schema, 'response')).toEqual({ id: 7 });
  expect(await valueOf(document, schema)).toEqual({ secret: 'secret' });
});

const sampleOf = (source: Json) => sampleRequest(source, createWitness(source).operation('addThing'));

test('every variant of a request is valid: enum values, branches, null, conditions', async () => {
  const invalid: unknown[] = [];
  let count = 0;
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const source = withBody({
      type: 'object',
      required: ['value'],
      properties: { value: schema, others: { type: 'array', items: schema } },
    });
    const spec = createWitness(source);
    const operation = spec.operation('addThing');
    const schemas = requestSchemas(source, operation);
    for (const variant of listVariants(source, schemas)) {
      const { body } = fillIn({ spec, schemas, sample: await sampleOf(source), calls: [], variant, omitted: [] });
      const problems = problemsOf(schema, (body as { value: unknown }).value);
      if (problems.length > 0) invalid.push({ name, variant: variant.name, body, problems });
      count++;
    }
  }
  expect(invalid).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

describe('null is tried where the contract names it', () => {
  const variantsOf = (schema: unknown, openapi?: string) => {
    const source = withBody({ type: 'object', properties: { a: schema } }, {}, openapi);
    return listVariants(source, requestSchemas(source, createWitness(source).operation('addThing'))).map(({ name }) => name);
  };
  test.each([
    ['a type', { type: ['string', 'null'] }],
    ['a branch', { anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] }],
    ['a value', { enum: ['x', null] }],
  ])('as %s', (_, schema) => expect(variantsOf(schema)).toContain('body/a=null'));
  test('as nullable, in OpenAPI 3.0', () => expect(variantsOf({ type: 'string', nullable: true }, '3.0.3')).toContain('body/a=null'));
  test('and not where anything is allowed', () =>
    expect(variantsOf({ properties: { b: { type: 'string' } } })).not.toContain('body/a=null'));
});

describe('an example that its schema refuses', () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, id: { type: 'integer', readOnly: true } } };

  test('is replaced by a generated value, with a note', async () => {
    const { body, missing, notes } = await sampleOf(withBody(schema, { example: { nam: 'Rex' } }));
    expect({ body, missing }).toEqual({ body: { name: 'name' }, missing: [] });
    expect(notes).toEqual([
      "the example of body is not valid (must have required property 'name'): a generated value is sent in its place",
    ]);
  });

  test('gives way to one that is accepted', async () => {
    const examples = { wrong: { value: {} }, right: { value: { name: 'Rex' } } };
    expect(await sampleOf(withBody(schema, { examples }))).toMatchObject({ body: { name: 'Rex' }, notes: [] });
  });

  test('is one that lacks a property of responses only in responses', async () => {
    const both = { ...schema, required: ['name', 'id'] };
    expect(await sampleOf(withBody(both, { example: { name: 'Rex' } }))).toMatchObject({ body: { name: 'Rex' }, notes: [] });
  });

  test('is replaced within the schema of a parameter too', async () => {
    const source = withBody({});
    const parameters = [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 5, example: 50 } }];
    Object.assign(source.paths['/things'].post, { parameters });
    expect(await sampleOf(source)).toMatchObject({ query: ['limit=1'] });
  });

  test('is none that a text of a parameter says', async () => {
    const source = withBody({});
    Object.assign(source.paths['/things'].post, {
      parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' }, example: '12' }],
    });
    expect(await sampleOf(source)).toMatchObject({ query: ['n=12'], notes: [] });
  });
});

test('what is required and refers to nothing is missing', async () => {
  expect(await sampleOf(withBody({ $ref: '#/components/schemas/None' }))).toMatchObject({ missing: ['body'] });
});

describe('a document', () => {
  test.each([
    ['with webhooks alone', { openapi: '3.1.0', webhooks: { pet: {} } }],
    ['with components alone', { openapi: '3.1.0', components: {} }],
    ['with empty paths', { openapi: '3.0.3', paths: {} }],
  ])('%s has no operations', (_, source) => expect(listOperations(parseDocument(JSON.stringify(source)))).toEqual([]));

  test('with neither paths, webhooks nor components is none', () =>
    expect(() => parseDocument({ swagger: '2.0' })).toThrow('not an OpenAPI document'));

  test('has the operations of a path item that is a reference', () => {
    const { paths } = withBody({});
    const source = {
      openapi: '3.1.0',
      paths: { '/a': { $ref: '#/components/pathItems/a' } },
      components: { pathItems: { a: paths['/things'] } },
    };
    expect(listOperations(source).map(({ id, path }) => `${id} ${path}`)).toEqual(['addThing /a']);
  });
});

describe('the witness of a document of OpenAPI 3.1', () => {
  const responding = (schema: unknown) => {
    const source = withBody({});
    Object.assign(source.paths['/things'].post, {
      responses: { '200': { description: 'Done.', content: { 'application/json': { schema } } } },
    });
    const spec = createWitness(source);
    const headers = new Headers({ 'content-type': 'application/json' });
    return (body: unknown) => spec.problems('addThing', { status: 200, headers, text: JSON.stringify(body) });
  };

  test.each([
    ['a list of types', { type: ['string', 'null'] }, null, 5],
    ['const', { const: 'a' }, 'a', 'b'],
    ['prefixItems', { prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 'b']],
    ['exclusive bounds', { type: 'integer', exclusiveMinimum: 3 }, 4, 3],
    ['unevaluatedProperties', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    ['siblings of a reference', { $ref: '#/components/schemas/Code', const: 'ABC' }, 'ABC', 'ABD'],
    ['what only requests have', { required: ['a'], properties: { a: { writeOnly: true }, b: { type: 'string' } } }, {}, { b: 1 }],
  ])('reads %s', (_, schema, right, wrong) => {
    const problems = responding(schema);
    expect(problems(right)).toEqual([]);
    expect(problems(wrong)).not.toEqual([]);
  });

  test('resolves references within a schema that has an $id', () => {
    const $defs = { money: { type: 'object', required: ['amount'], properties: { next: { $ref: '#' } } } };
    const problems = responding({ $id: 'https://example.com/thing', properties: { price: { $ref: '#/$defs/money' } }, $defs });
    expect(problems({ price: { amount: 1, next: { price: { amount: 1 } } } })).toEqual([]);
    expect(problems({ price: { amount: 1, next: { price: {} } } })).toEqual([expect.stringContaining('amount')]);
  });

  test('is not confused by data that look like identifiers', () => {
    const example = { $id: 'https://example.com/one' };
    expect(responding({ type: 'object', properties: { a: { examples: [example] }, b: { examples: [example] } } })({})).toEqual([]);
  });
});

test('what is beside a reference means nothing in OpenAPI 3.0', async () => {
  const source = withBody({ $ref: '#/components/schemas/Code', minLength: 50 }, {}, '3.0.3');
  expect((await sampleOf(source)).body).toMatch(/^[A-Z]{3}$/);
});
