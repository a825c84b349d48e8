/** What happens to numbers on their way to a handler: the list of docs/reference/numbers.md, item by item. */
import { describe, expect, test } from '@jest/globals';
import { findAlteredNumbers, isExact, createMultipleTest } from '../../../contract/test/support/internals.ts';
import { parseJson } from '../../src/pipeline/body/decode-body.ts';
import { operationDocument, requestValidator } from '../../../contract/test/support/contract.ts';
import { serve } from '../support/serve.ts';

const INEXACT = 'is an integer that a number cannot hold exactly: send one from -9007199254740991 to 9007199254740991';
const ABOVE = '9007199254740993';
const integer = { type: 'integer', format: 'int64' };
const type = 'application/json';
const form = 'application/x-www-form-urlencoded';

const query = (name: string, schema: unknown, rest: object = {}) => ({ name, in: 'query', schema, ...rest });
const bodyOf = (schema: unknown, mediaType = type, rest: object = {}) =>
  operationDocument({ method: 'post', requestBody: { content: { [mediaType]: { schema, ...rest } } } });

test.each([
  ['9007199254740991', true],
  ['9007199254740992', true],
  [ABOVE, false],
  ['9007199254740994', true],
  [`-${ABOVE}`, false],
  ['-9223372036854775808', true],
  ['9223372036854775807', false],
  [String(BigInt(-Number.MAX_VALUE)), true],
  ['1'.padEnd(309, '0'), false],
  ['9'.repeat(400), false],
  ['1'.repeat(100_000), false],
])('whether a number holds %.20s exactly: %s', (text, expected) => {
  expect(isExact(text)).toBe(expected);
});

describe('a JSON body with an integer that a number cannot hold exactly is refused', () => {
  test.each([
    [ABOVE, 'body'],
    [`-${ABOVE}`, 'body'],
    [`{"items":[{"id":${ABOVE}}]}`, 'body/items/0/id'],
    [`{"items":[{"id":1},{"a":"]","id" : -${ABOVE} }]}`, 'body/items/1/id'],
    [`[1,[2,\n${ABOVE}]]`, 'body/1/1'],
    [`{"a":"${ABOVE}","b":${ABOVE}}`, 'body/b'],
    [`{"a":${'9'.repeat(400)}}`, 'body/a'],
    // Written as what is no integer to a parser of digits.
    [`{"id":${ABOVE}.0}`, 'body/id'],
    [`{"id":${ABOVE}e0}`, 'body/id'],
    [`{"id":-${ABOVE}E+0}`, 'body/id'],
    ['{"id":900719925474099.3e1}', 'body/id'],
    ['{"id":90071992547409930e-1}', 'body/id'],
    ['{"id":0.9007199254740993e16}', 'body/id'],
    [`[${ABOVE}.000,1]`, 'body/0'],
  ])('%.60s', (text, location) => {
    expect(() => parseJson(text)).toThrow(`${location} ${INEXACT}`);
  });

  test('in every part, whatever the schema says of it', async () => {
    const app = await serve(`paths:
  /x:
    post:
      operationId: op
      requestBody: { content: { application/json: { schema: { type: object, properties: { n: { type: number, maximum: 5 }, any: {} } } } } }
      responses: { '204': { description: ok }, '400': { description: refused, content: { application/json: { schema: { type: object } } } } }
  /x/{n}:
    get:
      operationId: read
      parameters: [{ name: n, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses: { '204': { description: ok }, '400': { description: refused, content: { application/json: { schema: { type: object } } } } }
`);
    const ask = async (path: string, body?: string) => {
      const response = await fetch(app.url + path, body === undefined ? {} : { method: 'POST', body, headers: { 'Content-Type': type } });
      return [response.status, await response.text()];
    };
    const refusal = (location: string) => [400, expect.stringContaining(`${location} ${INEXACT}`)];
    expect(await ask('/x', `{"any":{"deep":[${ABOVE}]}}`)).toEqual(refusal('body/any/deep/0'));
    expect(await ask('/x', `{"n":${ABOVE}}`)).toEqual(refusal('body/n'));
    expect(await ask(`/x/${ABOVE}`)).toEqual(refusal('path/n'));
    await app.close();
  });
});

test.each([
  `{"a":"${ABOVE}","b":", ${ABOVE},"}`,
  '{"a":9007199254740992,"b":-9007199254740994}',
  '{"a":0.12345678901234567,"b":12345.67890123456789012}',
  `{"a":${ABOVE}e2,"b":${ABOVE}.5,"${ABOVE}":1}`,
  `"\\":${ABOVE}"`,
])('%s is read as it is', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('a large body is not walked for integers, unless it has one that may be inexact', () => {
  const item = { id: 1234567890123456, name: `${ABOVE} is text`, price: 0.12345678901234567, ok: true };
  const text = JSON.stringify(Array.from({ length: 50_000 }, () => item));
  const time = (run: () => unknown) => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  expect([...findAlteredNumbers(text)]).toEqual([]);
  const texts = [text, text.replace(/\}\]$/, `,"last":${ABOVE}}]`), text.replaceAll('1234567890123456', '1')];
  // In turns, so that what else the machine does concerns all of them.
  const rounds = Array.from({ length: 10 }, () => texts.map((given) => time(() => [...findAlteredNumbers(given)])));
  const [asText = 0, walked = 0, without = 0] = texts.map((_, i) => Math.min(...rounds.map((times) => times[i] ?? Infinity)));
  // A walk takes five times as long as digits in texts.
  expect(asText).toBeLessThan(walked / 2);
  expect(without).toBeLessThan(walked / 2);
});

describe('parameters with an integer that a number cannot hold exactly are refused', () => {
  const refused = (location: string) => [`${location} ${INEXACT}`];

  test('in a path, a header and a cookie, of type integer and number', async () => {
    const parameters = [
      { name: 'p', in: 'path', required: true, schema: integer },
      { name: 'X-H', in: 'header', schema: { type: 'number' } },
      { name: 'c', in: 'cookie', schema: integer },
    ];
    const validate = await requestValidator(operationDocument({ path: '/things/{p}', parameters }));
    expect(await validate({ path: { p: ABOVE } })).toEqual(refused('path/p'));
    expect(await validate({ path: { p: '1' }, headers: { 'x-h': `-${ABOVE}` } })).toEqual(refused('header/X-H'));
    expect(await validate({ path: { p: '1' }, headers: { cookie: `c=${ABOVE}` } })).toEqual(refused('cookie/c'));
    expect(await validate({ path: { p: '9007199254740992' } })).toMatchObject({ path: { p: 9007199254740992 } });
  });

  test('in lists and JSON of a query', async () => {
    const json = { name: 'j', in: 'query', content: { [type]: { schema: {} } } };
    const validate = await requestValidator(operationDocument({ parameters: [query('l', { type: 'array', items: integer }), json] }));
    expect(await validate({ query: `l=1&l=${ABOVE}` })).toEqual(refused('query/l/1'));
    expect(await validate({ query: `j={"a":[${ABOVE}]}` })).toEqual(refused('query/j/a/0'));
    expect(await validate({ query: `j={"a":"${ABOVE}"}` })).toMatchObject({ query: { j: { a: ABOVE } } });
  });

  test('in fields of forms and JSON in them', async () => {
    const schema = { type: 'object', properties: { n: integer, j: {} } };
    const validate = await requestValidator(bodyOf(schema, form, { encoding: { j: { contentType: type } } }));
    expect(await validate({ type: form, body: `n=${ABOVE}` })).toEqual(refused('body/n'));
    expect(await validate({ type: form, body: `j=[${ABOVE}]` })).toEqual(refused('body/j/0'));
  });

  test('but not where a string is allowed: it is the text', async () => {
    const validate = await requestValidator(operationDocument({ parameters: [query('v', { oneOf: [integer, { type: 'string' }] })] }));
    expect(await validate({ query: `v=${ABOVE}` })).toMatchObject({ query: { v: ABOVE } });
    expect(await validate({ query: 'v=5' })).toMatchObject({ query: { v: 5 } });
  });
});

describe('multipleOf is decimal arithmetic', () => {
  test.each([
    [19.99, 0.01, true],
    [19.995, 0.01, false],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [-4.35, 0.01, true],
    [12391239123, 1e-8, true],
    [1e308, 0.123456789, false],
    [1e308, 0.5, true],
    [5e-324, 1e-300, false],
    [0, 0.3, true],
    [-0, 7, true],
    [2 ** 63, 2 ** 33, true],
    [1e23, 10, true],
    [10, 3, false],
    [4.5, 3, false],
    [4.5, -1.5, true],
    [Infinity, 1, false],
    [1, 0, false],
  ])('%d of %d: %s', (value, divisor, expected) => {
    expect(createMultipleTest(divisor)(value)).toBe(expected);
  });

  test('in requests', async () => {
    const validate = await requestValidator(bodyOf({ type: 'number', multipleOf: 0.01 }));
    expect(await validate({ type, body: 19.99 })).toMatchObject({ body: 19.99 });
    expect(await validate({ type, body: 19.995 })).toEqual(['body must be multiple of 0.01']);
  });
});

describe('every other number keeps its value', () => {
  const validateBody = async (schema: unknown, text: string) =>
    (await requestValidator(bodyOf({ type: 'object', properties: { n: schema } })))({ type, body: parseJson(`{"n":${text}}`) });
  const validateQuery = async (schema: unknown, text: string) =>
    (await requestValidator(operationDocument({ parameters: [query('n', schema)] })))({ query: `n=${encodeURIComponent(text)}` });

  test('1.0 is the integer 1 in JSON, and no integer in a parameter', async () => {
    expect(await validateBody(integer, '1.0')).toMatchObject({ body: { n: 1 } });
    expect(await validateQuery(integer, '1.0')).toEqual(['query/n must be integer']);
  });

  test('-0 is accepted, and is written as 0', async () => {
    expect(await validateBody(integer, '-0')).toMatchObject({ body: { n: -0 } });
    expect(await validateQuery(integer, '-0')).toMatchObject({ query: { n: -0 } });
    expect(JSON.stringify(-0)).toBe('0');
  });

  test.each(['1e400', '-1e400', '1e0400', '-1.5E+309', `${'1'.repeat(250)}e99`, `${'1'.repeat(310)}.5`])(
    '%.20s is refused',
    async (text) => {
      const message = 'is larger than every number: send one of at most 1.7976931348623157e+308';
      for (const before of ['', '[1,', '{"n": ', '{"n":']) {
        const after = before.startsWith('{') ? '}' : before.startsWith('[') ? ']' : '';
        expect(() => parseJson(before + text + after)).toThrow(message);
      }
      expect(await validateQuery({ type: 'number' }, text)).toEqual([`query/n ${message}`]);
      expect(await validateQuery({ type: 'integer' }, text)).toEqual(['query/n must be integer']);
    },
  );

  test('a decimal with more digits than a number holds is the nearest number, which multipleOf is about', async () => {
    expect(await validateBody({ type: 'number' }, '0.1000000000000000055511151231257827')).toMatchObject({ body: { n: 0.1 } });
    expect(await validateBody({ type: 'number', multipleOf: 0.1 }, '0.1000000000000000055511151231257827')).toMatchObject({
      body: { n: 0.1 },
    });
    for (const text of [`${ABOVE}.0`, `${ABOVE}e0`])
      expect(await validateQuery({ type: 'number' }, text)).toEqual([
        expect.stringContaining('query/n is an integer that a number cannot hold'),
      ]);
    // Programs write numbers so.
    for (const number of [1e23, 1.152921504606847e18, 2 ** 70, 9007199254740992])
      for (const text of number === 1.152921504606847e18 ? [number.toExponential()] : [String(number), number.toExponential()])
        expect(await validateQuery({ type: 'number' }, text)).toMatchObject({ query: { n: number } });
  });
});
