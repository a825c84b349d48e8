/** `x-int64: bigint`: integers of 64 bits reach a handler, and leave it, without loss. */
import { describe, expect, test } from '@jest/globals';
import { modelOf, createSchemaCompiler, isBigInteger, type Document } from '@specwright/contract/document';
import { stringifyJson } from '@specwright/contract';
import { operationDocument, requestValidator, responseValidator } from '../../../contract/test/support/contract.ts';
import { withEcho } from '../support/echo.ts';

const big = { type: 'integer', format: 'int64', 'x-int64': 'bigint' };
const type = 'application/json';
const ABOVE = 9007199254740993n;
const LOWEST = -9223372036854775808n;
const INEXACT = 'is an integer that a number cannot hold exactly: send one from -9007199254740991 to 9007199254740991';

const bodyOf = (schema: unknown) => operationDocument({ method: 'post', requestBody: { content: { [type]: { schema } } } });
const query = (name: string, schema: unknown, rest: object = {}) => ({ name, in: 'query', schema, ...rest });

const YAML = `paths:
  /things/{id}:
    post:
      operationId: op
      parameters:
        - { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
        - { name: ids, in: query, schema: { type: array, items: { $ref: '#/components/schemas/Id' } } }
        - { name: after, in: query, schema: { type: integer, format: int64, x-int64: bigint, default: 5 } }
        - { name: X-Id, in: header, schema: { $ref: '#/components/schemas/Id' } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object, properties: { id: { $ref: '#/components/schemas/Id' } } } } } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses:
        '200':
          description: ok
          headers: { X-Last: { schema: { $ref: '#/components/schemas/Id' } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        '400': { description: refused, content: { application/json: { schema: { type: object } } } }
        '500': { description: failed, content: { application/json: { schema: { type: object } } } }
components:
  schemas:
    Id: { type: integer, format: int64, x-int64: bigint }
    Thing:
      type: object
      properties:
        id: { $ref: '#/components/schemas/Id' }
        none: { type: integer, format: int64, x-int64: bigint, nullable: true }
        version: { type: integer, format: int64, x-int64: bigint, default: 1 }
        count: { type: integer }
        any: {}
        text: { type: string }
        parts: { type: array, items: { $ref: '#/components/schemas/Thing' } }
        named: { type: object, additionalProperties: { $ref: '#/components/schemas/Id' } }
`;

describe('over HTTP', () => {
  const echo = withEcho(YAML, () => ({ 'X-Last': LOWEST }));
  const { ask } = echo;

  test('path, query, header, body and response keep every digit', async () => {
    const body = `{"id":${ABOVE},"none":null,"version":-0,"count":3,"text":"${ABOVE}","parts":[{"id":${LOWEST},"version":2}],"named":{"a":${ABOVE},"b":7}}`;
    const path = `/things/${ABOVE}?ids=${LOWEST}&ids=1&filter=${encodeURIComponent(`{"id":${ABOVE}}`)}`;
    const { status, text, headers } = await ask(path, body, { 'X-Id': '9223372036854775807' });
    expect(echo.given).toMatchObject({
      path: { id: ABOVE },
      query: { ids: [LOWEST, 1n], after: 5n, filter: { id: ABOVE } },
      headers: { 'X-Id': 9223372036854775807n },
      body: { id: ABOVE, none: null, version: 0n, count: 3, parts: [{ id: LOWEST, version: 2n }], named: { a: ABOVE, b: 7n } },
    });
    expect([status, text, headers.get('x-last')]).toEqual([200, body.replace('-0', '0'), String(LOWEST)]);
  });

  test('defaults are bigint', async () => {
    expect(await ask('/things/1', '{}')).toMatchObject({ status: 200, text: '{"version":1}' });
    expect(echo.given).toMatchObject({ path: { id: 1n }, query: { after: 5n }, body: { version: 1n } });
  });

  test.each([
    ['/things/9223372036854775808', '{}', 'path/id must match format \\"int64\\"'],
    ['/things/1?ids=-9223372036854775809', '{}', 'query/ids/0 must match format \\"int64\\"'],
    ['/things/x', '{}', 'path/id must be integer'],
    ['/things/1', '{"id":9223372036854775808}', 'body/id must match format \\"int64\\"'],
    ['/things/1', '{"id":1.5}', 'body/id must be integer'],
    ['/things/1', '{"id":"1"}', 'body/id must be integer'],
    ['/things/1', '{"id":null}', 'body/id must be integer'],
    ['/things/1', `{"any":{"id":${ABOVE}}}`, `body/any/id ${INEXACT}`],
    ['/things/1', `{"id":${ABOVE},"count":${ABOVE}}`, `body/count ${INEXACT}`],
    ['/things/1', `{"id":${'9'.repeat(1000)}}`, `body/id ${INEXACT}`],
    ['/things/1?filter={"x":9007199254740993}', '{}', `query/filter/x ${INEXACT}`],
  ])('%s with %.50s is refused', async (path, body, message) => {
    const { status, text } = await ask(path, body);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  test('a number in a response is refused where the contract says bigint, and a bigint elsewhere', async () => {
    for (const value of [{ id: 1 }, { count: 1n }]) {
      echo.answer = value;
      expect((await ask('/things/1', '{}')).status).toBe(500);
    }
    echo.answer = undefined;
  });
});

describe('validates as other integers are', () => {
  const cases: [object, string, string[]][] = [
    [{ minimum: 5 }, '4', ['body/n must be >= 5']],
    [{ maximum: 5 }, '9007199254740993', ['body/n must be <= 5']],
    [{ minimum: 5, exclusiveMinimum: true }, '5', ['body/n must be > 5']],
    [{ maximum: 5, exclusiveMaximum: true }, '5', ['body/n must be < 5']],
    [{ multipleOf: 10 }, '9007199254740993', ['body/n must be multiple of 10']],
    [{ multipleOf: 0.5 }, '9007199254740993', []],
    [{ enum: [1, 2] }, '3', ['body/n must be equal to one of the allowed values: 1, 2']],
    [{ enum: [1, 2] }, '2', []],
    [{ enum: [1, null], nullable: true }, 'null', []],
    [{ nullable: true }, '"x"', ['body/n must be integer,null']],
    [{ not: { enum: [3] } }, '3', ['body/n must not be what the schema refuses by `not`']],
    [{ not: { enum: [3] } }, '4', []],
  ];
  test.each(cases)('%j: %s', async (keywords, text, problems) => {
    const document = bodyOf({ type: 'object', properties: { n: { ...big, ...keywords } } });
    const { validateRequest, parse } = await requestsOf(document);
    const result = await validateRequest({ type, body: parse(`{"n":${text}}`) });
    expect(Array.isArray(result) ? result : []).toEqual(problems);
  });

  test('a bound beside an allOf whose part says bigint', async () => {
    const document = {
      ...bodyOf({ type: 'object', properties: { n: { minimum: 5, allOf: [{ $ref: '#/components/schemas/Id' }] } } }),
      components: { schemas: { Id: big as object } },
    };
    const { validateRequest, parse } = await requestsOf(document);
    expect(await validateRequest({ type, body: parse('{"n":4}') })).toEqual(['body/n must be >= 5']);
    expect(await validateRequest({ type, body: parse(`{"n":${ABOVE}}`) })).toMatchObject({ body: { n: ABOVE } });
  });

  test('const in OpenAPI 3.1', async () => {
    const document = { ...bodyOf({ ...big, const: 7 }), openapi: '3.1.0' };
    const validate = await requestValidator(document);
    expect(await validate({ type, body: 8 })).toEqual(['body must be 7']);
    expect(await validate({ type, body: 7 })).toMatchObject({ body: 7n });
  });

  test('responses', () => {
    const schema = { type: 'object', properties: { n: { ...big, nullable: true, minimum: 1 } } };
    const validate = responseValidator(operationDocument({ responses: { 200: { description: 'ok', content: { [type]: { schema } } } } }));
    const problemsOf = (n: unknown) => validate({ status: 200, headers: {}, type: undefined, body: { n } }).problems;
    expect([5n, null, 0n, 5].map(problemsOf)).toEqual([[], [], ['response/body/n must be >= 1'], ['response/body/n must be bigint,null']]);
  });
});

/** Parses and validates the JSON bodies of `op`. */
async function requestsOf(document: Document) {
  const { ALL_MODULES, createOperationValidators } = await import('../../../contract/test/support/internals.ts');
  const { parseJson } = await import('../../src/pipeline/body/decode-body.ts');
  const { operationOf } = await import('../../../contract/test/support/contract.ts');
  const { isBigIntegerAt } = createOperationValidators(document, ALL_MODULES)(operationOf(document, 'op'));
  return {
    validateRequest: await requestValidator(document),
    parse: (text: string) => parseJson(text, (path) => isBigIntegerAt(type, path)),
  };
}

describe('chosen at the root of the document', () => {
  const document = {
    ...operationDocument({ parameters: [query('a', { type: 'integer', format: 'int64' }), query('b', { type: 'integer' })] }),
    'x-int64': 'bigint',
  };

  test('every int64 is bigint, others stay numbers', async () => {
    const validate = await requestValidator(modelOf(document));
    expect(await validate({ query: `a=${ABOVE}&b=2` })).toMatchObject({ query: { a: ABOVE, b: 2 } });
    expect(await validate({ query: `b=${ABOVE}` })).toEqual([`query/b ${INEXACT}`]);
  });

  test('a schema may choose otherwise', async () => {
    const schema = { type: 'integer', format: 'int64', 'x-int64': 'number' };
    const validate = await requestValidator(
      modelOf({ ...operationDocument({ parameters: [query('a', schema)] }), 'x-int64': 'bigint' } as never),
    );
    expect(await validate({ query: 'a=2' })).toMatchObject({ query: { a: 2 } });
  });
});

test.each([
  [big, true],
  [{ ...big, type: ['integer', 'null'] }, true],
  [{ ...big, type: ['integer', 'string'] }, false],
  [{ ...big, type: 'string' }, false],
  [{ ...big, format: 'int32' }, false],
  [{ ...big, 'x-int64': 'number' }, false],
])('%j is of bigint: %s', (schema, expected) => {
  expect(isBigInteger(schema as never)).toBe(expected);
});

describe('JSON is written of bigint', () => {
  test('as an integer, at any place', () => {
    expect(stringifyJson({ a: [ABOVE, { b: LOWEST }], text: 'bigint:1', c: 0n, d: undefined })).toBe(
      `{"a":[${ABOVE},{"b":${LOWEST}}],"text":"bigint:1","c":0}`,
    );
    expect(stringifyJson(ABOVE)).toBe(String(ABOVE));
  });

  test('and a circle is refused as ever', () => {
    const circle: Record<string, unknown> = { id: 1n };
    circle['self'] = circle;
    expect(() => stringifyJson(circle)).toThrow(/circular/i);
  });
});

test('a tool validates values that were parsed from JSON: examples, responses that were sent', () => {
  const document = { ...operationDocument({}), components: { schemas: { Id: { ...big, minimum: 1 } } } } as unknown as Document;
  const validate = createSchemaCompiler(document)('#/components/schemas/Id');
  expect([1, 1n, 0, 1.5, '1'].map((value) => validate(value))).toEqual([true, true, false, false, false]);
});
