/** Forms as browsers, PHP and Rails write them: files that were not chosen, lists with brackets, lists that are one part. */
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';
import { FileRules } from '../../src/pipeline/body/multipart/file-rules.ts';

const FILE = '{ type: string, format: binary }';
const body = (required: string, more = '') =>
  `requestBody: { required: true, content: { multipart/form-data: { ${more} schema: { type: object, required: [${required}], properties: { csv: { type: array, items: { type: integer } }, spaced: { type: array, items: { type: string } }, tags: { type: array, items: { type: string } }, one: { type: string }, f: ${FILE}, pages: { type: array, items: ${FILE} } } } } } }`;
const ENCODING = 'encoding: { csv: { style: form, explode: false }, spaced: { style: spaceDelimited, explode: false } },';
const OK =
  "responses: { '200': { description: ok, content: { application/json: { schema: {} } } }, '400': { description: bad, content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } } } }";
const documentOf = (version: string) => `openapi: ${version}
info: { title: Forms, version: '1' }
paths:
  /spooled: { post: { operationId: spooled, ${body('f', ENCODING)}, ${OK} } }
  /streamed: { post: { operationId: streamed, ${body('f', `x-multipart: stream, ${ENCODING}`)}, ${OK} } }
  /pages: { post: { operationId: pages, ${body('tags, pages')}, ${OK} } }
  /stream: { post: { operationId: stream, ${body('tags, pages', 'x-multipart: stream,')}, ${OK} } }
`;

interface Input {
  readonly body: object;
  readonly files: AsyncIterable<{ readonly name: string; readonly filename?: string }>;
}
const answer = async ({ body: fields, files }: Input, reply: (status: number, payload: object) => unknown) => {
  const names: string[] = [];
  for await (const { name, filename } of files) names.push(`${name} ${String(filename)}`);
  return reply(200, { body: { ...fields, files: names } });
};
const handlers = { spooled: answer, streamed: answer, pages: answer, stream: answer };
const app = withApp(() => serve(documentOf('3.1.0'), { handlers }));
const old = withApp(() => serve(documentOf('3.0.3'), { handlers }));

type Part = readonly [head: string, text: string];
async function send({ url }: { readonly url: string }, path: string, ...parts: readonly Part[]): Promise<[number, unknown]> {
  const text = parts.map(([head, value]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`).join('');
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const response = await fetch(url + path, { method: 'POST', body: `${text}--b--\r\n`, headers });
  return [response.status, await response.json()];
}
const file: Part = ['name="f"; filename="a.txt"', 'a'];
const empty: Part = ['name="f"; filename=""\r\nContent-Type: application/octet-stream', ''];

test.each(['/spooled', '/streamed'])('%s: a required file that is left empty is missing', async (path) => {
  for (const parts of [[empty], [empty, empty], [['name="tags"', 'a'], empty] as const])
    expect(await send(app, path, ...parts)).toMatchObject([400, { message: 'body/f is required' }]);
  expect(await send(app, path, empty, file)).toEqual([200, { files: ['f a.txt'] }]);
});

test('what is wrong with the files of a form is listed one by one, for programs', () => {
  const file = { isList: false, minCount: 1, maxCount: 1, minBytes: 1, maxBytes: 10, types: [] };
  const rules = new FileRules({ files: new Map([['a', file], ['b', file]]) }); // prettier-ignore
  let problems: unknown;
  try {
    rules.end();
  } catch (error) {
    problems = (error as { problems?: unknown }).problems;
  }
  const missing = (pointer: string) => ({ location: 'body', pointer, code: 'required', message: 'is required' });
  expect(problems).toEqual([missing('/a'), missing('/b')]);
});

test('a file without bytes that has a name, and bytes without a name, are files', async () => {
  expect(await send(app, '/spooled', ['name="f"; filename="a"', ''])).toEqual([200, { files: ['f a'] }]);
  expect(await send(app, '/spooled', ['name="f"; filename=""', 'bytes'])).toEqual([200, { files: ['f undefined'] }]);
});

test.each(['/pages', '/stream'])('%s: lists of fields and of files may be named with brackets', async (path) => {
  const parts: Part[] = [
    ['name="tags[]"', 'a'],
    ['name="tags[]"', 'b'],
    ['name="pages[]"; filename="1"', 'x'],
    ['name="pages[]"; filename="2"', 'y'],
  ];
  expect(await send(app, path, ...parts)).toEqual([200, { tags: ['a', 'b'], files: ['pages 1', 'pages 2'] }]);
  expect(await send(app, path, ['name="one[]"', 'a'], ...parts)).toMatchObject([
    400,
    { message: expect.stringContaining('body/one[] is not declared') },
  ]);
});

test('two parts of one name are a list, or refused', async () => {
  expect(await send(app, '/spooled', ['name="one"', 'a'], ['name="one"', 'b'], file)).toMatchObject([
    400,
    { message: 'body/one must be given once' },
  ]);
  expect(await send(app, '/spooled', file, file)).toMatchObject([400, { message: 'body/f must be given once' }]);
});

test('a list with a style and without explode is one part in OpenAPI 3.1, and not in 3.0', async () => {
  const csv: Part = ['name="csv"', '1,2'];
  expect(await send(app, '/spooled', csv, ['name="spaced"', 'a b'], file)).toEqual([
    200,
    { csv: [1, 2], spaced: ['a', 'b'], files: ['f a.txt'] },
  ]);
  expect(await send(app, '/spooled', ['name="csv"', ''], file)).toEqual([200, { csv: [], files: ['f a.txt'] }]);
  expect(await send(app, '/spooled', ['name="csv"', '1'], ['name="csv"', '2'], file)).toEqual([200, { csv: [1, 2], files: ['f a.txt'] }]);
  expect(await send(app, '/spooled', ['name="csv"', '1,a'], file)).toMatchObject([400, { message: 'body/csv/1 must be integer' }]);
  expect(await send(old, '/spooled', csv, file)).toMatchObject([400, { message: 'body/csv/0 must be integer' }]);
});
