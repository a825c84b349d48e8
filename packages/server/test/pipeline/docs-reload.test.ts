/** In development, pages at /docs learn that a server with another contract has replaced this one; in production there is nothing of it. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { createRequestHandler, serverOptions } from '@specwright/server';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';
import { listenOnFreePort } from 'specwright/testing';
import { optionsOf, serve } from '../support/serve.ts';

const contractOf = (id: string) => `paths:
  /songs: { get: { operationId: ${id}, responses: { 200: { description: songs } } } }
`;
const RELOAD = { docs: { reload: true } };

const readVersion = async (url: string) => /data-version="([^"]+)"/.exec(await (await fetch(`${url}/docs`)).text())?.[1];

test('by default the page knows nothing of it, and there are no events', async () => {
  const app = await serve(contractOf('listSongs'), { docs: true });
  const page = await (await fetch(`${app.url}/docs`)).text();
  expect(page).not.toMatch(/reload\.js|data-version/);
  for (const path of ['/docs/changes', '/docs/reload.js']) expect((await fetch(app.url + path)).status).toBe(404);
  await app.close();
  const docsOf = (environment: NodeJS.ProcessEnv) => serverOptions(readEnvironment(SERVER_VARIABLES, environment)).docs;
  expect([docsOf({}), docsOf({ DOCS_RELOAD: 'on' })]).toMatchObject([{ reload: false }, RELOAD.docs]);
});

test('an event says the version of the page, and the events end when the server stops', async () => {
  const handler = createRequestHandler(await optionsOf(contractOf('listSongs'), RELOAD));
  const app = await listenOnFreePort(createServer(handler));
  const response = await fetch(`${app.url}/docs/changes`);
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(`retry: 300\ndata: ${await readVersion(app.url)}\n\n`);
  void handler.close();
  expect((await reader.read()).done).toBe(true);
  await app.close();
});

test('HEAD is answered at once', async () => {
  const app = await serve(contractOf('listSongs'), RELOAD);
  expect((await fetch(`${app.url}/docs/changes`, { method: 'HEAD' })).status).toBe(200);
  await app.close();
});

test('another contract is another version, the same one is not', async () => {
  const versions = [];
  for (const id of ['listSongs', 'listSongs', 'findSongs']) {
    const app = await serve(contractOf(id), RELOAD);
    versions.push(await readVersion(app.url));
    await app.close();
  }
  const [first, same, other] = versions;
  expect(first).toHaveLength(22);
  expect(same).toBe(first);
  expect(other).not.toBe(first);
});
