/** What holds for every operation beyond its declared statuses: HEAD, OPTIONS, methods that a path does not have, no key. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { startApp, type TestApp } from '../support/app.ts';
import { createWitness, type Answer } from '../support/witness.ts';
import { provocation } from './generic.ts';
import { createWorld, type World } from './world.ts';

const witness = createWitness();
let database: TestDatabase;
let app: TestApp;
let world: World;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(database.db);
  world = await createWorld(witness, { live: app.url }, database.db);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const reads = witness.operations.filter(({ method }) => method === 'GET');
const paths = [...new Set(witness.operations.map(({ path }) => path))];
const methodsOf = (path: string) => witness.operations.filter((operation) => operation.path === path).map(({ method }) => method);
const secured = witness.operations.filter((operation) => operation.secured);

/** All but the moment, what each request uses up, and what is of the connection: fetch closes it after a HEAD. */
const PASSING = ['date', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'connection', 'keep-alive'];
const headersOf = ({ headers }: Answer) => Object.fromEntries([...headers].filter(([name]) => !PASSING.includes(name)));
const codeOf = ({ text }: Answer) => (JSON.parse(text) as { code: string }).code;

describe('HEAD answers as GET does, without the body', () => {
  test.each(reads)('$id', async (operation) => {
    const [call] = (await provocation(operation, 200)?.(world)) ?? [];
    const conditions: Record<string, string>[] = [{}, { 'If-None-Match': '*' }, { authorization: '' }];
    for (const headers of conditions) {
      const asked = { ...call, headers: { 'X-Request-Id': 'the-same', ...headers } };
      const get = await world.send(operation.id, asked);
      const head = await world.send(operation.id, asked, 'HEAD');
      expect({ status: head.status, headers: headersOf(head), text: head.text }).toEqual({
        status: get.status,
        headers: headersOf(get),
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
  test.each(absent)('%s %s is 405, and Allow names the others, with or without a key', async (method, path) => {
    for (const key of ['', world.key]) {
      const headers = new Headers(key === '' ? {} : { Authorization: `Bearer ${key}` });
      const response = await fetch(app.url + path.replace(/\{\w+\}/g, '1'), { method, headers });
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      expect([answer.status, codeOf(answer), witness.errorProblems(answer)]).toEqual([405, 'method_not_allowed', []]);
      expect(answer.headers.get('x-request-id')).not.toBeNull();
      expect(allowed(answer.headers)).toEqual(allowedOn(path));
    }
  });
});

test.each(paths)('OPTIONS %s tells its methods', async (path) => {
  const response = await fetch(app.url + path.replace(/\{\w+\}/g, '1'), { method: 'OPTIONS' });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(allowed(response.headers)).toEqual(allowedOn(path));
});

test.each(secured)('$id without a key is 401, and says how to send one', async ({ id }) => {
  const answer = await world.send(id, { headers: { authorization: '' } });
  expect([answer.status, codeOf(answer), witness.problems(id, answer)]).toEqual([401, 'unauthorized', []]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  const wrong = await world.send(id, { headers: { authorization: 'Bearer psk_live_wrong' } });
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="petstore", error="invalid_token"']);
});

test('creating an account is the one operation that needs no key', () => {
  expect(witness.operations.filter((operation) => !operation.secured).map(({ id }) => id)).toEqual(['createAccount']);
});

test.each(['/', '/pet', '/pets/', '/pets/1/photos', '/store', '/PETS', '//pets'])('%s is 404', async (path) => {
  const response = await fetch(app.url + path, { headers: { Authorization: `Bearer ${world.key}` } });
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  expect([answer.status, codeOf(answer), witness.errorProblems(answer)]).toEqual([404, 'not_found', []]);
});

describe('what was created is read where Location says', () => {
  test.each(witness.operations.filter(({ statuses }) => statuses.includes(201)))('$id', async (operation) => {
    const [call = {}] = (await provocation(operation, 201)?.(world)) ?? [];
    const made = await world.send(operation.id, call);
    const { apiKey = world.key, ...body } = JSON.parse(made.text) as { apiKey?: string };
    const response = await fetch(app.url + (made.headers.get('location') ?? ''), { headers: { Authorization: `Bearer ${apiKey}` } });
    expect([response.status, await response.json(), response.headers.get('etag')]).toEqual([200, body, made.headers.get('etag')]);
  });
});

const allowed = (headers: Headers) => (headers.get('allow') ?? '').split(', ').sort();
const allowedOn = (path: string) => {
  const methods = methodsOf(path);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
};
