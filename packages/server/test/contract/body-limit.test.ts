/** How large a request body may be, by option and by `x-body-limit`; and the status of a media type that is not declared. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { FRAMEWORK_ERRORS } from '@specwright/server';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const post = (id: string, more = '') =>
  `post: { operationId: ${id}, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { 204: { description: ok } }${more} }`;
const PATHS = `paths:\n  /own: { ${post('own', ', x-body-limit: 100000')} }\n  /small: { ${post('small', ', x-body-limit: 500')} }\n  /other: { ${post('other')} }\n`;

const byDefault = withApp(() => serve(PATHS));
const byOption = withApp(() => serve(PATHS, { maxBodyBytes: 1000 }));
const byRoot = withApp(() => serve(`x-body-limit: 70000\n${PATHS}`, { maxBodyBytes: 1000 }));
const bodyOf = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });

async function send(url: string, bytes: number, { type = 'application/json', compress = false } = {}): Promise<[number, unknown]> {
  const headers = { 'Content-Type': type, ...(compress && { 'Content-Encoding': 'gzip' }) };
  const response = await fetch(url, { method: 'POST', headers, body: compress ? new Uint8Array(gzipSync(bodyOf(bytes))) : bodyOf(bytes) });
  return [response.status, ((await response.json()) as { message: string }).message];
}

test.each([
  ['64 KiB by default', byDefault, 'other', 65536],
  ['the option', byOption, 'other', 1000],
  ['x-body-limit of the operation', byOption, 'own', 100_000],
  ['a smaller x-body-limit', byOption, 'small', 500],
  ['x-body-limit of the document', byRoot, 'other', 70_000],
  ['that of the operation before that of the document', byRoot, 'own', 100_000],
])('%s', async (_name, app, path, limit) => {
  const url = `${app.url}/${path}`;
  for (const compress of [false, true]) {
    expect((await send(url, limit, { compress }))[0]).toBe(501);
    expect(await send(url, limit + 1, { compress })).toEqual([413, `the body is larger than ${limit} bytes`]);
  }
});

test('MAX_BODY_BYTES is a number of bytes', () => {
  const read = (environment: NodeJS.ProcessEnv) => readEnvironment(SERVER_VARIABLES, environment).maxBodyBytes;
  expect([read({}), read({ MAX_BODY_BYTES: '1000' })]).toEqual([65536, 1000]);
  expect(() => read({ MAX_BODY_BYTES: '1MB' })).toThrow(/MAX_BODY_BYTES must be a whole number from 1 to 1073741824, not "1MB"/);
});

test('a media type that is not declared is 415, unless the service gives it another status', async () => {
  const [status, message] = await send(`${byDefault.url}/other`, 20, { type: 'text/plain' });
  expect([status, message]).toEqual([415, 'header/Content-Type must be application/json, not text/plain']);
  const app = await serve(PATHS, { errors: { statuses: { ...FRAMEWORK_ERRORS, unsupported_content_type: 400 } } });
  expect((await send(`${app.url}/other`, 20, { type: 'text/plain' }))[0]).toBe(400);
  await app.close();
});
