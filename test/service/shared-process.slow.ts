/**
 * The pet store in one process with an application that has express-openapi-validator, Knex and pg with settings of its own: nothing that
 * they share is changed, whoever comes first.
 *
 * @jest-environment node
 */
import { createServer as createHttpServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import * as validator from 'express-openapi-validator';
import createKnex from 'knex';
// @ts-expect-error Knex has no types for its dialects.
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import { listenOnFreePort, withApp, withDatabase, type ListeningServer } from 'specwright/testing';

/** What others in the process share: objects, by a name for a test that fails. */
const shared: Readonly<Record<string, object>> = {
  'http.IncomingMessage': IncomingMessage.prototype,
  'http.ServerResponse': ServerResponse.prototype,
  'http.Server': Server.prototype,
  'express.application': express.application,
  'express.request': express.request,
  'express.response': express.response,
  'express.Router': express.Router,
  validator: validator,
  OpenApiValidator: (validator as unknown as { OpenApiValidator?: { prototype: object } }).OpenApiValidator?.prototype ?? {},
  pg: pg,
  'pg.Client': pg.Client.prototype,
  'pg.Query': pg.Query.prototype,
  'pg.Pool': pg.Pool.prototype,
  'pg.types': pg.types,
  'pg.defaults': pg.defaults,
  'knex.Client_PG': (PostgresDialect as { prototype: object }).prototype,
  knex: createKnex,
};
/** Getters are not called: `pg.native` would load a module. */
const describeShared = () => Object.fromEntries(Object.entries(shared).map(([name, one]) => [name, Object.getOwnPropertyDescriptors(one)]));

/** As the documentation of express-openapi-validator has it. */
function createApplication(): express.Express {
  const app = express();
  const schema = { type: 'object', required: ['id'], additionalProperties: false, properties: { id: { type: 'integer' } } } as const;
  const content = { 'application/json': { schema } };
  const apiSpec = {
    openapi: '3.0.3',
    info: { title: 'Theirs', version: '1' },
    paths: { '/theirs': { post: { requestBody: { required: true, content }, responses: { '200': { description: 'ok', content } } } } },
  };
  app.use(express.json());
  app.use(validator.middleware({ apiSpec: apiSpec as never, validateRequests: true, validateResponses: true }));
  app.post('/theirs', (request, response) => void response.json((request.body as { id: number }).id === 0 ? { id: 'x' } : request.body));
  const onError: ErrorRequestHandler = (error: { status?: number; message: string }, _request, response, next) => {
    if (response.headersSent) next(error);
    else response.status(error.status ?? 500).json({ message: error.message });
  };
  app.use(onError);
  return app;
}

const { builtins } = pg.types;
type Oid = Parameters<typeof pg.types.getTypeParser>[0];
type Parsers = readonly [oid: Oid, parse: (text: string) => unknown][];
const OWN_PARSERS: Parsers = [
  [builtins.INT8, BigInt],
  [builtins.TIMESTAMPTZ, (text) => `own ${text}`],
  [builtins.JSONB, (text) => `own ${text}`],
];
const SQL = `SELECT 9007199254740993::int8 AS big, '2026-01-01T00:00:00Z'::timestamptz AS at, '{}'::jsonb AS json`;
const OWN_ROW = { big: 9007199254740993n, at: expect.stringMatching(/^own 2026-01-01|^own 2025-12-31/), json: 'own {}' };

const OUR_ROW = { big: 9007199254740992, at: '2026-01-01T00:00:00.000Z', json: {} };

describe('one process', () => {
  const database = withDatabase();
  let before: ReturnType<typeof describeShared>;
  let parsers: Parsers;
  beforeAll(() => {
    parsers = OWN_PARSERS.map(([oid]) => [oid, pg.types.getTypeParser(oid) as (text: string) => unknown]);
    for (const [oid, parse] of OWN_PARSERS) pg.types.setTypeParser(oid, parse);
    before = describeShared();
  });
  afterAll(() => parsers.forEach(([oid, parse]) => pg.types.setTypeParser(oid, parse)));

  const theirs = withApp(() => listenOnFreePort(createHttpServer(createApplication())));
  const pool = withApp(() => {
    const made = new pg.Pool({ connectionString: database.url, max: 1 });
    return { query: (sql: string) => made.query(sql), close: () => made.end() };
  });
  const theirKnex = withApp(() => {
    const made = createKnex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    return { raw: async (sql: string) => (await made.raw<{ rows: object[] }>(sql)).rows, close: () => made.destroy() };
  });

  async function askTheirs(): Promise<void> {
    const post = async (path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`${theirs.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return [response.status, await response.json()];
    };
    expect(await post('/theirs', { id: 1 })).toEqual([200, { id: 1 }]);
    expect(await post('/theirs', { id: 'x' })).toEqual([400, { message: expect.stringContaining('must be integer') }]);
    expect(await post('/theirs', { id: 0 })).toEqual([500, { message: expect.stringContaining('must be integer') }]);
    expect((await pool.query(SQL)).rows).toEqual([OWN_ROW]);
    expect(await theirKnex.raw(SQL)).toEqual([OWN_ROW]);
  }

  /** The pet store reads numbers, times and JSON as it always does. */
  async function askOurs(app: ListeningServer, key: string): Promise<void> {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const create = (name: unknown) => fetch(`${app.url}/categories`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    const created = await create(`Fish ${performance.now()}`);
    const category = (await created.json()) as { id: number; createdAt: string };
    expect([created.status, category]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
    expect((await create(1)).status).toBe(400);
    const list = await fetch(`${app.url}/categories`, { headers });
    expect((await database.db.raw<{ rows: object[] }>(SQL)).rows).toEqual([OUR_ROW]);
    expect([list.status, await list.json()]).toEqual([200, expect.arrayContaining([expect.objectContaining({ id: category.id })])]);
  }

  async function startOurs() {
    // Loaded only now: what it might change is described before.
    const { newAccount, startApp } = await import('../support/service/app.ts');
    const app = await startApp(database.db);
    return { app, key: (await newAccount(database.db)).key };
  }

  test('theirs first, then ours, then both again: all are right, and nothing shared has changed', async () => {
    await askTheirs();
    const { app, key } = await startOurs();
    await askTheirs();
    await askOurs(app, key);
    await askTheirs();
    await askOurs(app, key);
    await app.close();
    expect(describeShared()).toEqual(before);
  });

  test('ours first, then theirs', async () => {
    const { app, key } = await startOurs();
    await askOurs(app, key);
    await askTheirs();
    const later = await listenOnFreePort(createHttpServer(createApplication()));
    await askOurs(app, key);
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${later.url}/theirs`, { method: 'POST', headers, body: '{"id":1}' })).status).toBe(200);
    await later.close();
    await app.close();
    expect(describeShared()).toEqual(before);
  });
});
