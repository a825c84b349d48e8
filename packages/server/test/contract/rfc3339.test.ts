/** Dates as RFC 3339 has them: in bodies, queries, headers and responses, by one check. */
import { describe, expect, test } from '@jest/globals';
import { toUtc } from '../../src/http/to-utc.ts';
import { documentOf, operationDocument, requestValidator, responseValidator } from '../../../contract/test/support/contract.ts';

const formatted = (format: string) => ({ type: 'string', format });

/** Where the text is accepted: all four places, or none. */
async function acceptedIn(format: string, text: string): Promise<string[]> {
  const schema = formatted(format);
  const validate = await requestValidator(
    operationDocument({
      method: 'post',
      parameters: [
        { name: 'q', in: 'query', schema },
        { name: 'X-When', in: 'header', schema },
      ],
      requestBody: { content: { 'application/json': { schema } } },
    }),
  );
  const respond = responseValidator(
    documentOf(`paths:
  /things:
    get:
      operationId: op
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: string, format: ${format} } } }
`),
  );
  const isValid = async (request: Parameters<typeof validate>[0]) => !Array.isArray(await validate(request));
  const places: [string, boolean][] = [
    ['query', await isValid({ query: new URLSearchParams({ q: text }).toString() })],
    ['header', await isValid({ headers: { 'x-when': text } })],
    ['body', await isValid({ body: text, type: 'application/json' })],
    ['response', respond({ status: 200, headers: {}, body: text, type: undefined }).problems.length === 0],
  ];
  return places.filter(([, accepted]) => accepted).map(([place]) => place);
}

const EVERYWHERE = ['query', 'header', 'body', 'response'];

describe('date-time', () => {
  test.each([
    '2026-12-24T12:00:00Z',
    '2026-12-24t12:00:00z',
    '2026-12-24T12:00:00.123456789+01:00',
    '2026-12-24T12:00:00+18:25',
    '2026-12-24T12:00:00-23:59',
    '2026-12-24T12:00:00-00:00',
    '2024-02-29T23:59:60Z',
    '2024-06-30T15:59:60.9-08:00',
    '0000-01-01T00:00:00Z',
  ])('%s is accepted everywhere', async (text) => {
    expect(await acceptedIn('date-time', text)).toEqual(EVERYWHERE);
  });

  test.each([
    '2026-12-24 12:00:00Z',
    '2026-12-24T12:00:00+02',
    '2026-12-24T12:00:00+0200',
    '2026-12-24T12:00:00',
    '2026-12-24T12:00Z',
    '2026-12-24T12:00:00,5Z',
    '2026-12-24T12:00:00.Z',
    '2026-12-24T24:00:00Z',
    '2026-12-24T12:60:00Z',
    '2026-12-24T12:00:60Z',
    '2026-12-24T23:59:61Z',
    '2026-12-24T12:00:00+24:00',
    '2026-12-24T12:00:00+01:60',
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-01-00T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '+002026-12-24T12:00:00Z',
    '2026-12-24T12:00:00Z\n',
    '20261224T120000Z',
    '2026-12-24',
    '',
  ])('%j is refused everywhere', async (text) => {
    expect(await acceptedIn('date-time', text)).toEqual([]);
  });
});

test.each([
  ['date', '2024-02-29', true],
  ['date', '2026-02-29', false],
  ['date', '2026-2-3', false],
  ['time', '12:00:00Z', true],
  ['time', '12:00:00+02', false],
  ['time', '12:00:00', false],
])('%s %s: %s', async (format, text, accepted) => {
  expect(await acceptedIn(format, text)).toEqual(accepted ? EVERYWHERE : []);
});

test.each([
  ['2026-12-24T12:00:00+18:25', '2026-12-23T17:35:00.000Z'],
  ['2024-06-30t15:59:60.25-08:00', '2024-07-01T00:00:00.250Z'],
  ['0099-01-01T00:00:00.123456Z', '0099-01-01T00:00:00.123Z'],
])('%s is %s in UTC', (text, utc) => {
  expect(toUtc(text, 'body')).toBe(utc);
});

test('what is no time is not the next one that there is', () => {
  expect(() => toUtc('2021-02-30T00:00:00Z', 'body/at')).toThrow('body/at must match format "date-time"');
});

test.each(['0000-12-31T23:59:59Z', '9999-12-31T23:59:59-00:01', '0001-01-01T00:00:00+00:01'])('%s cannot be stored', (text) => {
  expect(() => toUtc(text, 'body/at')).toThrow('body/at must be in the years 0001 to 9999 in UTC');
});
