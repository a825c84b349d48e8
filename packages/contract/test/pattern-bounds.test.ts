/**
 * A pattern is never run on a text that is longer than the `maxLength` beside it, wherever the text comes from; and one that is not proven
 * linear on none of more than 2,000 characters. Within them each takes little time, whatever its degree.
 */
import { describe, expect, test } from '@jest/globals';
import { operationDocument, requestValidator, responseValidator } from './support/contract.ts';

// The pattern takes exponential time on the text: seconds for each test. If it were run, there would be a second problem.
const schema = { type: 'string', maxLength: 20, pattern: '^(a+)+$' };
const HOSTILE = `${'a'.repeat(27)}!`;
const TOO_LONG = 'must NOT have more than 20 characters';
const MISMATCH = 'must match pattern "^(a+)+$"';

const parameters = (['path', 'query', 'header', 'cookie'] as const).map((place) => ({ name: 'name', in: place, required: true, schema }));
const body = { type: 'object', properties: { name: schema, names: { type: 'array', items: schema } } };
const document = operationDocument({
  path: '/things/{name}',
  method: 'post',
  parameters,
  requestBody: { content: { 'application/json': { schema: body }, 'application/x-www-form-urlencoded': { schema: body } } },
  responses: { 200: { description: 'ok', headers: { Name: { schema } }, content: { 'application/json': { schema: body } } } },
});

const everywhere = (text: string) => ({ path: { name: text }, query: `name=${text}`, headers: { name: text, cookie: `name=${text}` } });
const PARAMETERS = ['path/name', 'query/name', 'header/name', 'cookie/name'];
const at = (locations: readonly string[], message: string) => locations.map((location) => `${location} ${message}`).sort();

test('parameters', async () => {
  const validate = await requestValidator(document);
  expect(await validate(everywhere(HOSTILE))).toEqual(expect.arrayContaining(at(PARAMETERS, TOO_LONG)));
  expect(await validate(everywhere(HOSTILE))).toHaveLength(4);
  expect(await validate(everywhere('a!'))).toEqual(expect.arrayContaining(at(PARAMETERS, MISMATCH)));
  expect(await validate(everywhere('aa'))).toMatchObject({ path: { name: 'aa' }, query: { name: 'aa' } });
});

test.each([
  ['application/json', (text: string) => ({ name: text, names: [text] })],
  ['application/x-www-form-urlencoded', (text: string) => `name=${text}&names[]=${text}`],
])('bodies of %s', async (type, bodyOf) => {
  const validate = await requestValidator(document);
  const problemsOf = async (text: string) => validate({ ...everywhere('a'), type, body: bodyOf(text) });
  expect(await problemsOf(HOSTILE)).toEqual(at(['body/name', 'body/names/0'], TOO_LONG));
  expect(await problemsOf('a!')).toEqual(at(['body/name', 'body/names/0'], MISMATCH));
  expect(await problemsOf('aa')).toMatchObject({ body: { name: 'aa', names: ['aa'] } });
});

test('responses', () => {
  const problemsOf = (text: string) =>
    responseValidator(document)({ status: 200, headers: { Name: text }, body: { name: text }, type: undefined }).problems;
  expect(problemsOf(HOSTILE)).toEqual(at(['response/body/name', 'response/header/Name'], TOO_LONG).reverse());
  expect(problemsOf('a!')).toEqual(at(['response/body/name', 'response/header/Name'], MISMATCH).reverse());
  expect(problemsOf('aa')).toEqual([]);
});

test('the length is counted in characters, as maxLength counts it', async () => {
  const emoji = { ...schema, maxLength: 3, pattern: '^x' };
  const validate = await requestValidator(operationDocument({ parameters: [{ name: 'q', in: 'query', schema: emoji }] }));
  expect(await validate({ query: `q=${encodeURIComponent('😀😀😀')}` })).toEqual(['query/q must match pattern "^x"']);
  expect(await validate({ query: `q=${encodeURIComponent('😀😀😀😀')}` })).toEqual(['query/q must NOT have more than 3 characters']);
  expect(await validate({ query: 'q=yyyyyyy' })).toEqual(['query/q must NOT have more than 3 characters']);
});

describe('a pattern that is not proven linear', () => {
  const SLOW = String.raw`^\S+@\S+\.\S+$`;
  const bound = (pattern: string) =>
    `must be at most 2000 characters long, because the pattern "${pattern}" is not proven to take linear time`;
  const validatorOf = (schema: object) => {
    const requestBody = { content: { 'application/json': { schema } } };
    return requestValidator({ ...operationDocument({ method: 'post', requestBody }), openapi: '3.1.0' });
  };
  const problemsOf = async (schema: object, body: unknown) => {
    const validate = await validatorOf(schema);
    const start = process.cpuUsage().user;
    const result = await validate({ type: 'application/json', body });
    // A text of 60 KB took 3.7 s. The schema is compiled in this time.
    expect(process.cpuUsage().user - start).toBeLessThan(1e6);
    return result;
  };
  const email = (length: number) => `${'a'.repeat(length - 6)}@b.com`;

  test('accepts texts of up to 2,000 characters, and refuses longer ones', async () => {
    expect(await problemsOf({ pattern: SLOW }, email(2000))).toMatchObject({ body: email(2000) });
    expect(await problemsOf({ pattern: SLOW }, email(2001))).toEqual([`body ${bound(SLOW)}`]);
    expect(await problemsOf({ pattern: SLOW }, '@'.repeat(60_000))).toEqual([`body ${bound(SLOW)}`]);
    expect(await problemsOf({ pattern: SLOW }, 7)).toMatchObject({ body: 7 });
  });

  test('counts characters as maxLength does', async () => {
    expect(await problemsOf({ pattern: SLOW }, `${'😀'.repeat(1994)}@b.com`)).toHaveProperty('body');
  });

  test('has the maxLength beside it, if that is smaller', async () => {
    expect(await problemsOf({ pattern: SLOW, maxLength: 100 }, email(101))).toEqual(['body must NOT have more than 100 characters']);
    expect(await problemsOf({ pattern: SLOW, maxLength: 5000 }, email(2000))).toHaveProperty('body');
    expect(await problemsOf({ pattern: SLOW, maxLength: 5000 }, email(2001))).toEqual([`body ${bound(SLOW)}`]);
  });

  test('one that is linear has none', async () => {
    expect(await problemsOf({ pattern: '^[a-z]+$' }, 'a'.repeat(60_000))).toHaveProperty('body');
    expect(await problemsOf({ pattern: String.raw`^[\w.+-]+@[\w-]+\.[\w.-]+$`, maxLength: 50_000 }, email(40_000))).toHaveProperty('body');
  });

  test('one that is not written as ECMAScript has it too', async () => {
    const pattern = String.raw`\A\S+@\S+\.\S+\Z`;
    expect(await problemsOf({ pattern }, email(2000))).toHaveProperty('body');
    expect(await problemsOf({ pattern }, email(2001))).toEqual([`body ${bound(pattern)}`]);
  });

  const named = (name: string, value: unknown) => ({ [name]: value });
  const cut = (name: string) => `body name ${name.slice(0, 100)}...`;
  test('in patternProperties bounds the names', async () => {
    const schema = { type: 'object', patternProperties: { [SLOW]: { type: 'integer' } } };
    expect(await problemsOf(schema, named(email(2000), 1))).toHaveProperty('body');
    expect(await problemsOf(schema, named(email(2000), 'x'))).toEqual([expect.stringMatching(/ must be integer$/)]);
    expect(await problemsOf(schema, named(email(2001), 'x'))).toContain(`${cut(email(2001))} ${bound(SLOW)}`);
    const long = '@'.repeat(60_000);
    expect(await problemsOf({ ...schema, additionalProperties: false }, named(long, 1))).toContain(`${cut(long)} ${bound(SLOW)}`);
  });

  test('in patternProperties is not bounded again where propertyNames bounds the names', async () => {
    const schema = { type: 'object', propertyNames: { maxLength: 100 }, patternProperties: { [SLOW]: { type: 'integer' } } };
    const problems = await problemsOf(schema, named(email(101), 'x'));
    expect(JSON.stringify(problems)).not.toContain('2000');
    expect(problems).toContain(`${cut(email(101))} must NOT have more than 100 characters`);
  });

  test('in propertyNames bounds the names', async () => {
    const long = '@'.repeat(60_000);
    expect(await problemsOf({ type: 'object', propertyNames: { pattern: SLOW } }, named(long, 1))).toEqual([`${cut(long)} ${bound(SLOW)}`]);
  });

  /** The longest text that an attack needs, and the time of the verdict on many of them. */
  test.each<readonly [pattern: string, attack: string]>([
    [String.raw`^(\d+)(\d+)(\d+)x$`, '1'.repeat(2000)],
    [String.raw`^\s*(.*?)\s*,\s*(.*?)\s*$`, `${' '.repeat(1998)}\n!`],
    [SLOW, `${'@.'.repeat(999)}\n`],
    ['^(a?){30}$', 'a'.repeat(2000)],
    ['^(a|a?)+$', `${'a'.repeat(1999)}!`],
    ['^(?:a|ab|b)*$', `${'ab'.repeat(999)}!`],
    [String.raw`^(?:x(?=.*y)){2,}$`, 'x'.repeat(2000)],
  ])('%s refuses a text of 2,000 characters in less than 50 ms', async (pattern, attack) => {
    for (const schema of [{ pattern }, { pattern, maxLength: 2000 }]) {
      const validate = await validatorOf({ type: 'array', items: schema });
      const body = Array.from({ length: 5 }, () => attack);
      await validate({ type: 'application/json', body: [] });
      const start = process.cpuUsage().user;
      expect(await validate({ type: 'application/json', body })).toContain(`body/0 must match pattern "${pattern}"`);
      expect((process.cpuUsage().user - start) / 1000).toBeLessThan(50 * body.length);
    }
  });

  test.each<readonly [pattern: string, bound: number, attack: (n: number) => string]>([
    [String.raw`^(\d)\1*$`, 2000, (n) => `${'1'.repeat(n - 1)}2`],
    [String.raw`^(a+)(a+)\2x$`, 271, (n) => 'a'.repeat(n)],
    [String.raw`^(a+)(a+)(a+)\2x$`, 66, (n) => 'a'.repeat(n)],
    [String.raw`^(?:(a+)\1?)+x$`, 16, (n) => 'a'.repeat(n)],
    [String.raw`^(?:(a)|a)*\1x$`, 16, (n) => 'a'.repeat(n)],
  ])('%s, which has a back-reference, is tested on up to %d characters', async (pattern, most, attack) => {
    const validate = await validatorOf({ pattern });
    await validate({ type: 'application/json', body: '' });
    const start = process.cpuUsage().user;
    expect(await validate({ type: 'application/json', body: attack(most) })).toEqual([`body must match pattern "${pattern}"`]);
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(100);
    expect(await validate({ type: 'application/json', body: attack(most + 1) })).toEqual([
      `body ${bound(pattern).replace('2000', String(most))}`,
    ]);
  });
});
