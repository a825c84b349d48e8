/** What holds for every operation beyond its declared statuses: HEAD, OPTIONS, methods that a path does not have, no key. */
import { describe, expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture, type HttpResponse } from 'specwright/testing';
import { loadPetStore } from '../../src/service.ts';
import { startApp } from '../support/service/app.ts';
import { withMails } from '../support/service/sign-ups.ts';
import { scenarioFor } from './scenario-for.ts';
import { spec } from './spec.ts';
import { createWorld } from './world.ts';

const database = withDatabase();
const app = withApp(async () => startApp(database.db, { contract: await loadPetStore(), signUps: await withMails(database.db) }));
const world = withFixture(() => createWorld({ live: app.url }, database.db));

const reads = spec.operations.filter(({ method }) => method === 'GET');
const paths = [...new Set(spec.operations.map(({ path }) => path))];
const methodsOf = (path: string) => spec.operations.filter((operation) => operation.path === path).map(({ method }) => method);
const secured = spec.operations.filter((operation) => operation.secured);

/** A request that is of no operation, with ids of 1. */
async function send(method: string, path: string, key?: string): Promise<HttpResponse> {
  const headers = new Headers(key === undefined ? {} : { Authorization: `Bearer ${key}` });
  const response = await fetch(app.url + path.replace(/\{\w+\}/g, '1'), { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Headers that differ from one response to the next: the date, what is left of the limits, the connection, which fetch closes after HEAD, and
 * that a body comes in chunks, where there is none.
 */
const VOLATILE = ['date', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'connection', 'keep-alive', 'transfer-encoding'];
const stableHeaders = ({ headers }: HttpResponse) => Object.fromEntries([...headers].filter(([name]) => !VOLATILE.includes(name)));
const codeOf = ({ text }: HttpResponse) => (JSON.parse(text) as { code: string }).code;

describe('HEAD answers as GET does, without the body', () => {
  test.each(reads)('$id', async (operation) => {
    const [call] = (await scenarioFor(operation, 200)?.(world)) ?? [];
    const conditions = [{}, { headers: { 'If-None-Match': '*' } }, { anonymous: true }];
    for (const condition of conditions) {
      const asked = { ...call, ...condition, headers: { 'X-Request-Id': 'the-same', ...call?.headers, ...condition.headers } };
      const get = await world.send(operation.id, asked);
      if (condition === conditions[0]) expect(get.status).toBe(200);
      const head = await world.send(operation.id, asked, 'HEAD');
      expect({ status: head.status, headers: stableHeaders(head), text: head.text }).toEqual({
        status: get.status,
        headers: stableHeaders(get),
        text: '',
      });
    }
  });
});

describe('a method that the path does not have', () => {
  const absent = paths.flatMap((path) =>
    ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']
      .filter((method) => !methodsOf(path).includes(method))
      .map((method) => [method, path] as const),
  );
  test.each(absent)('%s %s is 405 with the methods in Allow, with and without a key', async (method, path) => {
    for (const key of [undefined, world.key]) {
      const response = await send(method, path, key);
      expect([response.status, codeOf(response), spec.bodyProblems('Error', response)]).toEqual([405, 'method_not_allowed', []]);
      expect(response.headers.get('x-request-id')).not.toBeNull();
      expect(allowed(response)).toEqual(allowedOn(path));
    }
  });
});

test.each(paths)('OPTIONS %s answers 204 with its methods in Allow', async (path) => {
  const response = await send('OPTIONS', path);
  expect([response.status, response.text]).toEqual([204, '']);
  expect(allowed(response)).toEqual(allowedOn(path));
});

test.each(secured)('$id without a valid key is 401 with a Bearer challenge', async ({ id }) => {
  const response = await world.send(id, { anonymous: true });
  expect([response.status, codeOf(response), spec.problems(id, response)]).toEqual([401, 'unauthorized', []]);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  const wrong = await world.send(id, { headers: { authorization: 'Bearer psk_live_wrong' } });
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="petstore", error="invalid_token"']);
});

test('signing up needs no key, and everything else does', () => {
  const open = spec.operations.filter((operation) => !operation.secured).map(({ id }) => id);
  expect(open).toEqual(['createAccount', 'requestSignUp', 'confirmSignUp']);
});

test.each(['/pet', '/pets/', '/pets/1/photos', '/store', '/PETS', '//pets'])('%s is 404', async (path) => {
  const response = await send('GET', path, world.key);
  expect([response.status, codeOf(response), spec.bodyProblems('Error', response)]).toEqual([404, 'not_found', []]);
});

describe('what was created is read at its Location', () => {
  const creating = spec.operations.filter(({ statuses }) => statuses.includes('201'));
  test.each(creating)('$id', async (operation) => {
    const [call] = (await scenarioFor(operation, 201)?.(world)) ?? [];
    const made = await world.send(operation.id, call);
    const { apiKey = world.key, ...body } = JSON.parse(made.text) as { apiKey?: string };
    const read = await send('GET', made.headers.get('location') ?? '', apiKey);
    expect([read.status, read.headers.get('etag')]).toEqual([200, made.headers.get('etag')]);
    const isJson = read.headers.get('content-type') === 'application/json';
    expect(isJson ? JSON.parse(read.text) : call?.body).toMatchObject(isJson ? body : { photo: read.text });
  });
});

const allowed = ({ headers }: HttpResponse) => (headers.get('allow') ?? '').split(', ').sort();
const allowedOn = (path: string) => {
  const methods = methodsOf(path);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
};
