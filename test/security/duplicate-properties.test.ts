/** A property that is given twice: which one counts would depend on who reads it. */
import { describe, expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const account = withFixture(() => newAccount(database.db));

const post = async (body: string) => {
  const headers = { Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${app.url}/categories`, { method: 'POST', headers, body });
  const { code, message } = (await response.json()) as { code?: string; message?: string };
  return code === undefined ? String(response.status) : `${code}: ${message}`;
};

describe('is refused', () => {
  test.each([
    ['{"name":"Dogs","name":"Cats"}', 'body/name'],
    ['{"name":"Dogs","name":"Dogs"}', 'body/name'],
    ['{"name":"Dogs","\\u006eame":"Cats"}', 'body/name'],
    ['{"name":"Dogs" ,\n "name" : "Cats"}', 'body/name'],
    ['{"__proto__":1,"__proto__":2}', 'body/__proto__'],
    ['{"":1,"":2}', 'body/'],
    ['{"a":[0,{"b":":,{}[]","c\\"":1,"c\\"":2}]}', 'body/a/1/c"'],
    ['[{"a":1},{"a":1,"b":{"a":1,"a":{}}}]', 'body/1/b/a'],
    ['{"a":{"b":1,"b":2},"a":{}}', 'body/a/b'],
  ])('%s', async (body, place) => {
    expect(await post(body)).toBe(`invalid_json: ${place} is given twice`);
  });
});

describe('is not seen', () => {
  test.each([
    ['{"name":"a:b, {\\"name\\": 1}"}', '201'],
    ['{"name":"\\\\"}', '201'],
    ['{"name":"\\\\\\":"}', '201'],
    ['{ "name" : "::" }', '201'],
    ['{"name":"x","a":[{"name":"y"},{"name":"z"}]}', 'invalid_request: body/a is not declared'],
    ['{"name":"x","__proto__":{"name":1}}', 'invalid_request: body/__proto__ is not declared'],
    ['[":"]', 'invalid_request: body must be object'],
  ])('in %s', async (body, answer) => {
    expect(await post(body)).toBe(answer);
  });
});

test('a list in a list, 30,000 deep, does not exhaust the stack', async () => {
  expect(await post(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)).toBe(
    'invalid_request: body is nested deeper than 1000 objects and lists',
  );
});
