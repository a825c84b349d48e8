/** Header fields of the parts of a body: hostile ones take time in proportion to their length, and no parameter has two values. */
import { expect, test } from '@jest/globals';
import { scaleTimeout, withApp } from 'specwright/testing';
import { parseFieldParameters } from '@specwright/contract';
import { serve } from '../support/serve.ts';

const SCHEMA = 'schema: { type: object, properties: { text: { type: string } } }';
const YAML = `paths: { /a: { post: { operationId: a, requestBody: { content: { multipart/form-data: { ${SCHEMA} } } }, responses: { '204': { description: ok } } } } }`;
const app = withApp(() => serve(YAML, { handlers: { a: (_: unknown, reply: (status: number) => unknown) => reply(204) } }));

const MAX_MS = scaleTimeout(100);
const post = async (line: string): Promise<[status: number, ms: number]> => {
  const body = `--b\r\nContent-Disposition: form-data; name=text\r\n${line}\r\n\r\na\r\n--b--\r\n`;
  const began = performance.now();
  const { status } = await fetch(`${app.url}/a`, { method: 'POST', body, headers: { 'Content-Type': 'multipart/form-data; boundary=b' } });
  return [status, performance.now() - began];
};

test.each([3000, 8000])('a header field of %s blanks and a control character is 400 within 100 ms', async (length) => {
  await post('a: b');
  for (const blank of ['\t', ' ', ' \t']) {
    const [status, ms] = await post(`a:${blank.repeat(length / blank.length)}\0`);
    expect(status).toBe(400);
    expect(ms).toBeLessThan(MAX_MS);
  }
});

test.each([';'.repeat(7900), 'a="'.repeat(2600), `x="${'\\'.repeat(7900)}`, `x=${' '.repeat(7900)}"`, '; a'.repeat(2600)])(
  'a Content-Disposition with %.20s... is answered within 100 ms',
  async (parameters) => {
    await post('a: b');
    const [, ms] = await post(`Content-Type: text/plain\r\nX: ${parameters}`);
    const body = `--b\r\nContent-Disposition: form-data; name=text; ${parameters}\r\n\r\na\r\n--b--\r\n`;
    const began = performance.now();
    await fetch(`${app.url}/a`, { method: 'POST', body, headers: { 'Content-Type': 'multipart/form-data; boundary=b' } });
    expect(Math.max(ms, performance.now() - began)).toBeLessThan(MAX_MS);
  },
);

test.each<[string, Record<string, string> | undefined]>([
  ['a/b', {}],
  ['a/b;', {}],
  ['A/B ; C=d', { c: 'd' }],
  ['a; b="c;d" ; e=f', { b: 'c;d', e: 'f' }],
  ['a; b=', { b: '' }],
  ['a; b=c d', { b: 'c d' }],
  ['a; b="c\\"d"', { b: 'c"d' }],
  ['a; b="\\\\"', { b: '\\' }],
  ['a; b=c; b=d', undefined],
  ['a; b=c; B=c', undefined],
  ['a; b="c', undefined],
  ['a; b="c\\"', undefined],
  ['a; b=c"', undefined],
  ['a; b="c"d', undefined],
  ['a; b', undefined],
  ['a; =b', undefined],
  ['a; b c=d', undefined],
])('the parameters of %s are %j', (text, expected) => {
  const parameters = parseFieldParameters(text, 'backslash')?.parameters;
  expect(parameters && Object.fromEntries(parameters)).toEqual(expected);
});

test('in a part a backslash is a character, and quotes and line breaks are escaped with percent', () => {
  const parsed = parseFieldParameters('form-data; name="C:\\"; filename="%22%0D%0a%41"', 'percent');
  expect(Object.fromEntries(parsed?.parameters ?? [])).toEqual({ name: 'C:\\', filename: '"\r\n%41' });
});
