/** Authenticators that return a query: it is run and waited for, and what is no caller never lets anybody in. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { apiKey, basic, bearer, createServer, loadContract, type Authenticator } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog, listenOnFreePort, removeFolder, withDatabase, withFixture, type LogLine } from 'specwright/testing';

const database = withDatabase({ schema: 'empty' });
withFixture(
  async () => {
    await database.db.schema.createTable('keys', (table) => table.text('key').primary());
    await database.db('keys').insert({ key: 'good' });
  },
  async () => undefined,
);

const responses = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Keys', version: '1' },
  paths: {
    '/one': { get: { operationId: 'one', security: [{ key: [] }], responses } },
    '/either': { get: { operationId: 'either', security: [{ key: [] }, { other: [] }], responses } },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, other: { type: 'apiKey', in: 'header', name: 'X-Other' } },
  },
};
const PATHS = ['/one', '/either'];

/** @returns the status with a key, how often the handler ran, and the errors of the log. */
async function ask(authenticator: Authenticator, path: string, key: string) {
  const folder = await mkdtemp(join(tmpdir(), 'keys-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(DOCUMENT));
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  const lines: LogLine[] = [];
  let calls = 0;
  const handler = (_input: unknown, reply: (status: number, payload: object) => unknown) => {
    calls += 1;
    return reply(200, { body: {} });
  };
  const handlers = { one: handler, either: handler } as never;
  const security = { key: authenticator, other: apiKey(() => undefined) } as never;
  const app = await listenOnFreePort(createServer({ contract, handlers, security, log: createTestLog(lines) }));
  const { status } = await fetch(`${app.url}${path}`, { headers: { 'X-Key': key } });
  await app.close();
  await removeFolder(folder);
  const errors = lines.filter(({ level }) => level === 'error').map(({ err }) => (err as Error).message);
  return { status, calls, errors };
}

const rowOf = (key: string) => database.db('keys').where({ key }).first<{ key: string } | undefined>();

describe.each(PATHS)('%s', (path) => {
  test('a query builder of Knex is run: 401 for a wrong key, 200 for the right one', async () => {
    expect(await ask(apiKey(rowOf), path, 'wrong')).toEqual({ status: 401, calls: 0, errors: [] });
    expect(await ask(apiKey(rowOf), path, 'good')).toEqual({ status: 200, calls: 1, errors: [] });
  });

  test('an authenticator that is only a function may return a query builder, too', async () => {
    const find = ((request: { headers: Record<string, string> }) => rowOf(request.headers['x-key'] ?? '')) as never;
    expect((await ask(find, path, 'wrong')).status).toBe(401);
    expect((await ask(find, path, 'good')).status).toBe(200);
  });

  test('a query that fails is 500 and logged', async () => {
    const { status, calls, errors } = await ask(
      apiKey((key) => database.db('no_such_table').where({ key }).first<object | undefined>()),
      path,
      'good',
    );
    expect([status, calls, errors.length]).toEqual([500, 0, 1]);
    expect(errors[0]).toContain('no_such_table');
  });

  test.each<[string, (key: string) => unknown, string]>([
    ['a function', () => () => ({ key: 'good' }), 'a function'],
    ['a function, later', async () => () => ({ key: 'good' }), 'a function'],
    ['all rows, of which there are none', (key) => database.db('keys').where({ key }).select(), 'a list'],
    ['a builder that is no thenable, as those of Kysely are', () => ({ execute: async () => [] }), 'a query that was not run'],
    ['such a builder, later', async () => ({ getQuery: () => 'SELECT', execute: async () => [] }), 'a query that was not run'],
  ])('%s is no caller: 500, and the log says why', async (_name, find, mistake) => {
    const { status, calls, errors } = await ask(apiKey(find as never), path, 'wrong');
    expect([status, calls]).toEqual([500, 0]);
    expect(errors).toEqual([`the authenticator of key returned ${mistake}: return the caller, or undefined`]);
  });

  test.each([false, null, undefined])('%s is nobody, now or later', async (nobody) => {
    expect(
      await ask(
        apiKey(() => nobody),
        path,
        'wrong',
      ),
    ).toEqual({ status: 401, calls: 0, errors: [] });
    expect(
      await ask(
        apiKey(async () => nobody),
        path,
        'wrong',
      ),
    ).toEqual({ status: 401, calls: 0, errors: [] });
  });
});

test('the compiler knows the caller of a query: it is the row', () => {
  interface Row {
    readonly key: string;
  }
  const row = (key: string) => database.db('keys').where({ key }).first<Row | undefined>();
  const authenticators: Authenticator<Row>[] = [apiKey<Row>(row), apiKey(row), bearer(row), basic(row)];
  expect(authenticators).toHaveLength(4);
  // @ts-expect-error -- a row is no caller with an account
  const wrong: Authenticator<{ accountId: number }> = apiKey(row);
  expect(wrong).toBeDefined();
});
