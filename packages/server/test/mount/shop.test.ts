/** The first steps of docs/express.md: two routes of an application of ten are under contract, and the others are as they were. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { listenOnFreePort, withApp } from 'specwright/testing';

const app = withApp(async () => {
  process.env['LOG_LEVEL'] = 'silent';
  return listenOnFreePort(createServer((await import('./shop/server.ts')).app));
});
const ask = async (path: string, method = 'GET', body?: object) => {
  const init = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(app.url + path, { method, ...init });
  return [response.status, await response.text()];
};

test('requests of the two routes are validated', async () => {
  expect(await ask('/notes', 'POST', { text: 'a' })).toEqual([201, '{"id":2,"text":"a"}']);
  expect(await ask('/notes')).toEqual([200, '[{"id":1,"text":"one"},{"id":2,"text":"a"}]']);
  expect(await ask('/notes', 'POST', { txt: 'a' })).toEqual([
    400,
    expect.stringContaining('body/text is required; body/txt is not declared'),
  ]);
});

test('the other eight answer as before', async () => {
  expect(await ask('/')).toEqual([200, 'shop']);
  expect(await ask('/health')).toEqual([200, '{"ok":true}']);
  expect(await ask('/notes/1')).toEqual([200, '{"id":1,"text":"one"}']);
  expect(await ask('/notes/1', 'DELETE')).toEqual([204, '']);
  expect(await ask('/users/1', 'PUT', { name: 'B' })).toEqual([204, '']);
  expect(await ask('/users/1')).toEqual([200, '{"id":1,"name":"B"}']);
  expect(await ask('/users')).toEqual([200, '[{"id":1,"name":"B"}]']);
  expect(await ask('/about')).toEqual([200, 'about']);
  expect((await ask('/nothing'))[0]).toBe(404);
});
