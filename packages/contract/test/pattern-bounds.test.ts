/** A pattern is never run on a text that is longer than the `maxLength` beside it, wherever the text comes from. */
import { expect, test } from '@jest/globals';
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
