/** `dates: 'date'`: texts of format date-time are `Date` in handlers, and text on the wire. */
import { describe, expect, test } from '@jest/globals';
import { operationDocument, requestValidator, responseValidator } from '../../../contract/test/support/contract.ts';
import { withEcho } from '../support/echo.ts';

const TYPE = 'application/json';
const TEXT = '2026-12-24T12:00:00.123Z';
const DATE = new Date(TEXT);

const YAML = `x-date-time: date
paths:
  /things/{at}:
    post:
      operationId: op
      parameters:
        - { name: at, in: path, required: true, schema: { $ref: '#/components/schemas/At' } }
        - { name: any, in: query, schema: { type: array, items: { $ref: '#/components/schemas/At' } } }
        - { name: since, in: query, schema: { type: string, format: date-time, default: '2000-01-01T00:00:00Z' } }
        - { name: X-At, in: header, schema: { $ref: '#/components/schemas/At' } }
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Thing' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Thing' } }
      responses:
        '200':
          description: ok
          headers:
            X-Last: { schema: { $ref: '#/components/schemas/At' } }
            X-All: { schema: { type: array, items: { $ref: '#/components/schemas/At' } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        '400': { description: refused, content: { application/json: { schema: { type: object } } } }
        '500': { description: failed, content: { application/json: { schema: { type: object } } } }
components:
  schemas:
    At: { type: string, format: date-time }
    Thing:
      type: object
      properties:
        at: { $ref: '#/components/schemas/At' }
        none: { type: string, format: date-time, nullable: true }
        made: { type: string, format: date-time, default: '${TEXT}' }
        day: { type: string, format: date }
        text: { type: string }
        list: { type: array, items: { $ref: '#/components/schemas/At' } }
        parts: { type: array, items: { $ref: '#/components/schemas/Thing' } }
        either: { oneOf: [{ type: integer }, { $ref: '#/components/schemas/At' }] }
        all: { allOf: [{ $ref: '#/components/schemas/At' }] }
        named: { type: object, additionalProperties: { $ref: '#/components/schemas/At' } }
        listed: { type: string, format: date-time, enum: ['${TEXT}'] }
        any: {}
`;

describe('over HTTP', () => {
  let last: unknown = DATE;
  const echo = withEcho(YAML, () => ({ 'X-Last': last, 'X-All': [DATE, DATE] }));
  const { ask } = echo;
  const at = `/things/${encodeURIComponent(TEXT)}`;

  test('path, query, header, body, defaults and response are Date, wherever they are nested', async () => {
    const parts = {
      at: TEXT,
      none: null,
      made: TEXT,
      day: '2026-12-24',
      text: TEXT,
      list: [TEXT],
      either: TEXT,
      all: TEXT,
      named: { a: TEXT },
      listed: TEXT,
      any: TEXT,
    };
    const { status, text, headers } = await ask(`${at}?any=${TEXT}&any=${TEXT}`, JSON.stringify({ ...parts, parts: [parts] }), {
      'X-At': TEXT,
    });
    const expected = { ...parts, at: DATE, made: DATE, list: [DATE], either: DATE, all: DATE, named: { a: DATE } };
    expect(echo.given).toEqual({
      ...echo.given,
      path: { at: DATE },
      query: { any: [DATE, DATE], since: new Date('2000-01-01T00:00:00Z') },
      headers: { 'X-At': DATE },
      body: { ...expected, parts: [expected] },
    });
    expect([status, JSON.parse(text)]).toEqual([200, { ...parts, parts: [parts] }]);
    expect([headers.get('x-last'), headers.get('x-all')]).toEqual([TEXT, `${TEXT}, ${TEXT}`]);
  });

  test('a form has them too, and a default is one of its own for each request', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await ask(at, `at=${encodeURIComponent(TEXT)}`, form)).toMatchObject({ status: 200 });
    const { made } = echo.given.body as { made: Date };
    expect(echo.given.body).toMatchObject({ at: DATE, made: DATE });
    made.setFullYear(1999);
    await ask(at, '{}');
    expect(echo.given.body).toEqual({ made: DATE });
  });

  test.each([
    ['an offset', '2026-12-24T13:00:00.123+01:00', TEXT],
    ['lower case', '2026-12-24t12:00:00.123z', TEXT],
    ['more digits than milliseconds', '2026-12-24T12:00:00.123999Z', TEXT],
    ['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['the first year', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('%s is a moment like others', async (_, sent, answered) => {
    const { status, text } = await ask(at, JSON.stringify({ at: sent }));
    expect([status, (JSON.parse(text) as { at: string }).at]).toEqual([200, answered]);
  });

  test.each(['2026-02-30T00:00:00Z', '2026-12-24', '2026-12-24T24:00:00Z', 'now', ''])('%j in a request is refused', async (sent) => {
    const { status, text } = await ask(at, JSON.stringify({ at: sent }));
    expect([status, text]).toEqual([400, expect.stringContaining('body/at must match format \\"date-time\\"')]);
  });

  test.each<[string, unknown, number]>([
    ['a valid text', TEXT, 200],
    ['a Date of the last year', new Date('9999-12-31T23:59:59.999Z'), 200],
    ['an invalid Date', new Date(NaN), 500],
    ['a Date after the year 9999', new Date(253402300800000), 500],
    ['a Date before the year 0', new Date(-62167219200001), 500],
    ['a text that is no moment', 'yesterday', 500],
  ])('%s in a response', async (_, value, expected) => {
    echo.answer = { at: value };
    const { status } = await ask(at, '{}');
    echo.answer = undefined;
    expect(status).toBe(expected);
  });

  test('an invalid Date in a header of a response is refused, and the server lives', async () => {
    last = new Date(NaN);
    expect(await ask(at, '{}')).toMatchObject({ status: 500 });
    last = DATE;
    expect(await ask(at, '{}')).toMatchObject({ status: 200 });
  });
});

test('without the option they are texts, and a Date is refused', async () => {
  const content = { [TYPE]: { schema: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } } } };
  const document = operationDocument({ method: 'post', requestBody: { content }, responses: { 200: { description: 'ok', content } } });
  const validate = await requestValidator(document);
  expect(await validate({ type: TYPE, body: { at: TEXT } })).toMatchObject({ body: { at: TEXT } });
  const { problems } = responseValidator(document)({ status: 200, headers: {}, type: undefined, body: { at: DATE } });
  expect(problems).toEqual(['response/body/at must be string']);
});
