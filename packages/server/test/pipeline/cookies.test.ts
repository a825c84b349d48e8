/** Cookies of a request: one parser for parameters and for API keys (RFC 6265). */
import { expect, test } from '@jest/globals';
import { parseCookies } from '@specwright/contract';
import { operationDocument, requestValidator } from '../../../contract/test/support/contract.ts';

test.each<[header: string | string[] | undefined, cookies: Record<string, string[]>]>([
  [undefined, {}],
  ['a=1; b=2', { a: ['1'], b: ['2'] }],
  [['a=1', 'b=2'], { a: ['1'], b: ['2'] }],
  ['a=1;b=2', { a: ['1'], b: ['2'] }],
  ['a=1; a=2', { a: ['1', '2'] }],
  ['a="1"', { a: ['1'] }],
  ['a=b=c', { a: ['b=c'] }],
  ['a=%20', { a: ['%20'] }],
  ['a=', { a: [''] }],
  ['keys; a=1', { a: ['1'] }],
])('parses %j', (header, cookies) => {
  expect(Object.fromEntries(parseCookies(header))).toEqual(cookies);
});

test('a parameter in a cookie takes the first of two values, percent-decoded', async () => {
  const validate = await requestValidator(operationDocument({ parameters: [{ name: 'a', in: 'cookie', schema: { type: 'string' } }] }));
  expect(await validate({ headers: { cookie: 'a=x%20y; a=z' } })).toMatchObject({ cookies: { a: 'x y' } });
});
