/** Each value that is encoded is decoded to itself, in every location, style and type; values that have no text are refused, or not sent. */
import { describe, expect, test } from '@jest/globals';
import { encodeField } from '../src/codec/encode-field.ts';
import { encodeCookies } from '../src/codec/encode-cookies.ts';
import { encodePairs, encodeText, type EncodedField } from '../src/codec/encode.ts';
import { operationDocument, requestValidator } from './support/contract.ts';

/** Texts that mean something in a URL, a header, a cookie or a style. */
const TEXTS = [
  ...['a', '', ' ', ' a', 'a ', 'a b', 'a,b', 'a.b', 'a|b', 'a;b', 'a=b', 'a&b', 'a+b', 'a%b', '%2C', '%', '+', '.', '..', '/', '?', '#'],
  ...[
    'v',
    'v=',
    ';v=a',
    '[',
    ']',
    'a[b]',
    '"',
    '"a"',
    '\\',
    "'",
    'null',
    'true',
    '0',
    '-0',
    '1e3',
    '007',
    '{"a":1}',
    '[1]',
    'é',
    'ÿ',
    '€',
    '😀',
  ],
  ...['\u0000', '\t', '\n', '\r\n', '\u007f', '\u00a0', '\ufeff', '\ufffd', 'constructor', 'a'.repeat(300)],
];
const INTEGERS = [0, 1, -1, 42, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const NUMBERS = [...INTEGERS, 0.1, -2.5, 1e21, 5e-324, Number.MAX_VALUE];
const BOOLEANS = [true, false];

/** As a generator of pseudo-random numbers does: the same values in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const pick = <T>(random: (below: number) => number, from: readonly T[]): T => from[random(from.length)] as T;

const SCALARS: Readonly<Record<string, { schema: object; values: readonly unknown[] }>> = {
  string: { schema: { type: 'string' }, values: TEXTS },
  integer: { schema: { type: 'integer' }, values: INTEGERS },
  number: { schema: { type: 'number' }, values: NUMBERS },
  boolean: { schema: { type: 'boolean' }, values: BOOLEANS },
};

interface Kind {
  readonly schema: object;
  readonly values: readonly unknown[];
}

function listKinds(): Record<string, Kind> {
  const random = createRandom(7);
  const kinds: Record<string, Kind> = { ...SCALARS };
  for (const [name, { schema, values }] of Object.entries(SCALARS)) {
    const lists = Array.from({ length: 150 }, () => Array.from({ length: random(4) }, () => pick(random, values)));
    kinds[`list of ${name}`] = { schema: { type: 'array', items: schema }, values: [[], ...values.map((one) => [one]), ...lists] };
    const names = ['a', 'b', 'R', 'a b', 'x.y', 'é', 'a=b', 'c,d', 'e[f]', ';', 'length'];
    const objects = Array.from({ length: 150 }, () =>
      Object.fromEntries(Array.from({ length: random(4) }, () => [pick(random, names), pick(random, values)])),
    );
    kinds[`object of ${name}`] = { schema: { type: 'object', additionalProperties: schema }, values: [{}, ...objects] };
  }
  return kinds;
}

const STYLES: readonly (readonly [EncodedField['in'], string, boolean])[] = [
  ...(['simple', 'label', 'matrix'] as const).flatMap((style) => [true, false].map((explode) => ['path', style, explode] as const)),
  ...['form', 'spaceDelimited', 'pipeDelimited'].flatMap((style) =>
    [true, false].flatMap((explode) => [['query', style, explode] as const, ['body', style, explode] as const]),
  ),
  ['query', 'deepObject', true],
  ['body', 'deepObject', true],
  ['header', 'simple', true],
  ['header', 'simple', false],
  ['cookie', 'form', true],
  ['cookie', 'form', false],
  ['cookie', 'cookie', true],
  ['cookie', 'cookie', false],
];

const FORM = 'application/x-www-form-urlencoded';
const GROUPS = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isEmpty = (value: unknown): boolean => isComposite(value) && Object.keys(value).length === 0;

async function createRoundTrip(location: EncodedField['in'], style: string, explode: boolean, schema: object) {
  const field: EncodedField = { name: 'v', in: location, style, explode };
  const parameter = { name: 'v', in: location, required: location === 'path', style, explode, schema };
  const form = { type: 'object', properties: { v: schema }, additionalProperties: false };
  const validate = await requestValidator(
    location === 'body'
      ? operationDocument({ method: 'post', requestBody: { content: { [FORM]: { schema: form, encoding: { v: { style, explode } } } } } })
      : operationDocument({ path: location === 'path' ? '/things/{v}' : '/things', parameters: [parameter] }),
  );
  return async (value: unknown): Promise<{ text: string; got: unknown }> => {
    const encode = {
      body: () => encodeField('v', { style, explode }, value),
      query: () => encodePairs(field, value),
      cookie: () => encodeCookies(field, value),
    };
    const pairs = location === 'path' || location === 'header' ? undefined : encode[location]();
    const text = pairs?.join(location === 'cookie' ? '; ' : '&') ?? encodeText(field, value);
    const result = (await validate({
      ...(location === 'path' && { path: { v: decodeURIComponent(text) }, encodedPath: { v: text } }),
      ...(location === 'query' && { query: text }),
      ...(location === 'header' && { headers: { v: text.replace(/^[ \t]+|[ \t]+$/g, '') } }),
      ...(location === 'cookie' && { headers: { cookie: text } }),
      ...(location === 'body' && { body: text, type: FORM }),
    })) as Record<string, Record<string, unknown>> | string[];
    if (Array.isArray(result)) return { text, got: result };
    const values = location === 'body' ? result['body'] : result[GROUPS[location]];
    return { text, got: values?.['v'] };
  };
}

/** What deepObject has no text for: a value that is no object, names that brackets cannot hold. Cookies that are not declared are of nothing. */
const isUsed = (style: string, explode: boolean, kind: string): boolean =>
  style === 'deepObject' ? kind.startsWith('object') : !(kind.startsWith('object') && explode && /Delimited|cookie/.test(style));

describe.each(STYLES)('%s, %s, explode %s', (location, style, explode) => {
  const kinds = Object.entries(listKinds()).filter(([kind]) => isUsed(style, explode, kind));

  test.each(kinds)('decodes each %s that it encodes to itself', async (_kind, { schema, values }) => {
    const roundTrip = await createRoundTrip(location, style, explode, schema);
    let sent = 0;
    for (const value of values) {
      let result: { text: string; got: unknown };
      try {
        result = await roundTrip(value);
      } catch (error) {
        // What cannot be sent is said before it is.
        expect(error).toBeInstanceOf(TypeError);
        continue;
      }
      // RFC 6570, section 2.3: what is empty is undefined, and not sent.
      if (result.text === '' && isEmpty(value) && !['path', 'header'].includes(location)) continue;
      sent++;
      expect({ text: result.text, value: result.got }).toEqual({ text: result.text, value });
    }
    // In a cookie of its style nothing is escaped.
    expect(sent).toBeGreaterThan(values.length / (style === 'cookie' ? 8 : 4));
  });
});

test('only what a delimiter, an empty list or the location cannot carry is refused', () => {
  const refused = (field: Omit<EncodedField, 'name'>, value: unknown) => {
    try {
      encodeText({ name: 'v', ...field }, value);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const simple = { in: 'header', style: 'simple' } as const;
  expect(refused(simple, ['a', 'b=c', 'd;e', '%', ''])).toBeUndefined();
  expect(refused(simple, ['a,b'])).toBe('header/v must not have "," in an item, which separates its items');
  expect(refused(simple, [''])).toBe('header/v must not be a list of one empty text');
  expect(refused(simple, '€')).toBe('header/v has characters that a header cannot have');
  expect(refused({ in: 'path' }, '..')).toBe('path/v must not be ".."');
  expect(refused({ in: 'query', style: 'form', explode: false }, ['a,b', ' ', '|'])).toBeUndefined();
  expect(refused({ in: 'query', style: 'pipeDelimited', explode: false }, ['a|b'])).toContain('must not have "|"');
  expect(() => encodePairs({ name: 'v', in: 'query', style: 'deepObject' }, { 'a[b]': 1 })).toThrow('which brackets cannot name');
});

test('an object of style cookie is the cookies of its declared properties', async () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } };
  const parameters = [{ name: 'v', in: 'cookie', style: 'cookie', schema }];
  const validate = await requestValidator(operationDocument({ path: '/things', parameters }));
  const field = { name: 'v', in: 'cookie', style: 'cookie' } as const;
  const cookie = encodeCookies(field, { a: 1, b: 'x%20=,' }).join('; ');
  expect(cookie).toBe('a=1; b=x%20=,');
  expect(await validate({ headers: { cookie: `other=1; ${cookie}` } })).toMatchObject({ cookies: { v: { a: 1, b: 'x%20=,' } } });
  expect(await validate({ headers: { cookie: 'other=1; v=2' } })).toMatchObject({ cookies: {} });
  expect(() => encodeCookies(field, { b: 'a;b' })).toThrow('cookie/v has characters that a cookie cannot have');
  expect(() => encodeCookies(field, { 'a=b': 'c' })).toThrow('cookie/v must not have "=" in the name of a property');
  expect(() => encodeCookies({ ...field, explode: false }, ['a,b'])).toThrow('must not have "," in an item');
});

test('blanks around the commas of a header are no part of its elements, nor sent', async () => {
  const schema = { type: 'array', items: { type: 'string' } };
  const validate = await requestValidator(operationDocument({ path: '/things', parameters: [{ name: 'v', in: 'header', schema }] }));
  expect(await validate({ headers: { v: 'foo ,bar,\tlight blue' } })).toMatchObject({ headers: { v: ['foo', 'bar', 'light blue'] } });
  expect(() => encodeText({ name: 'v', in: 'header' }, ['a', ' b'])).toThrow('header/v must not have blanks around an item');
});
