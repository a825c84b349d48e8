/** Matching of operations: base paths of servers, templates that differ in names, queries in paths, methods. */
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { type ContractOperation } from '@specwright/contract';
import { basePaths } from '../../../contract/test/support/internals.ts';
import { listOperations, type Server } from '@specwright/contract/document';
import { splitTarget } from '../../src/http/request-head.ts';
import { ExchangeState, type Exchange } from '../../src/pipeline/exchange.ts';
import { runSteps } from '../../src/pipeline/exchange-lifecycle.ts';
import { match } from '../../src/pipeline/match/match.ts';
import { createTestLog } from '../support/log.ts';
import { sendError } from '../support/send-error.ts';
import { documentOf } from '../../../contract/test/support/contract.ts';

describe('base paths', () => {
  test.each<[url: string, path: string[], variables?: Server['variables']]>([
    ['https://api.example.com/v1', ['/v1']],
    ['https://api.example.com/v1/', ['/v1']],
    ['https://api.example.com', []],
    ['/', []],
    ['/api/v2', ['/api/v2']],
    ['//host/api', ['/api']],
    ['v1', ['/v1']],
    ['./v1', ['/v1']],
    ['.', []],
    ['https://{region}.example.com/{base}', ['/v3'], { region: { default: 'eu' }, base: { default: 'v3' } }],
    ['https://example.com/{base}', []],
  ])('%s', (url, path, ...[variables]) => {
    expect(basePaths({ servers: [{ url, variables }] } as never, { item: {}, operation: { responses: {} } })).toEqual(path);
  });

  test('uses the servers of the operation, else of the path, else of the document', () => {
    const document = { servers: [{ url: '/d' }] } as never;
    const item = { servers: [{ url: '/p' }] };
    expect(basePaths(document, { item, operation: { responses: {}, servers: [{ url: '/o' }] } })).toEqual(['/o']);
    expect(basePaths(document, { item, operation: { responses: {} } })).toEqual(['/p']);
    expect(basePaths(document, { item: {}, operation: { responses: {} } })).toEqual(['/d']);
  });
});

/** Answers with the matched operation and its parameters. */
function serverOf(yaml: string) {
  const document = documentOf(yaml);
  const app = express();
  const targets = listOperations(document).map((operation) => ({
    operation: {
      id: operation.id,
      method: operation.method,
      path: operation.path,
      basePaths: basePaths(document, operation),
    } as unknown as ContractOperation,
    steps: [({ response, pathParameters }: Exchange) => void response.json([operation.id, pathParameters])],
  }));
  const notFound = { count: () => undefined, steps: [({ response }: Exchange) => void response.status(404).end()] };
  const find = match({
    operations: targets,
    endpoints: new Map([
      ['/livez', notFound],
      ['/openapi.yaml', notFound],
    ]),
    count: () => undefined,
    options: (end) => end,
    unmatched: (refuse) => [refuse],
  });
  app.use((req, res, next) => {
    const { path, search } = splitTarget(req.url);
    const found = find(req, path, search);
    const arrival = { service: { log: createTestLog() } as never, base: '', path, search, found };
    const exchange = new ExchangeState(req, res, arrival, 'id');
    runSteps(found.steps, exchange, { end: () => undefined, fail: (_, error) => next(error) });
  });
  app.use(sendError);
  return request(app);
}

const OK = "{ responses: { '204': { description: none } } }";

test.each([
  ['/a/5', ['getAById', { id: '5' }]],
  ['/v1/a/5', ['getAById', { id: '5' }]],
  ['/x/y/a/5', ['getAById', { id: '5' }]],
])('finds %s below each base path and at the root', async (path, found) => {
  const server = serverOf(`servers: [{ url: 'https://h/v1' }, { url: /x/y }]\npaths:\n  /a/{id}: { get: ${OK} }\n`);
  expect((await server.get(path)).body).toEqual(found);
});

test('prefers a path of the contract to one below a base path', async () => {
  const server = serverOf(`servers: [{ url: /v1 }]\npaths:\n  /a: { get: ${OK} }\n  /v1/a: { get: ${OK} }\n`);
  expect((await server.get('/v1/a')).body).toEqual(['getV1A', {}]);
});

test('treats templates that differ only in names as one path, each operation with its own names', async () => {
  const server = serverOf(`paths:\n  /a/{id}: { get: ${OK} }\n  /a/{name}: { post: ${OK} }\n`);
  expect((await server.get('/a/5')).body).toEqual(['getAById', { id: '5' }]);
  expect((await server.post('/a/5')).body).toEqual(['postAByName', { name: '5' }]);
  const refused = await server.delete('/a/5');
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
});

test('matches a query in a path; without it only an operation that requires none', async () => {
  const server = serverOf(
    `paths:\n  /a?do=x: { get: ${OK} }\n  /a?do=y: { get: ${OK} }\n  /b: { get: ${OK} }\n  /b?do=x: { get: ${OK} }\n`,
  );
  expect((await server.get('/a?do=x')).body).toEqual(['getADoX', {}]);
  expect((await server.get('/a?do=y&z=1')).body).toEqual(['getADoY', {}]);
  expect((await server.get('/a')).status).toBe(404);
  expect((await server.get('/b')).body).toEqual(['getB', {}]);
  expect((await server.get('/b?do=x')).body).toEqual(['getBDoX', {}]);
});

test('a template does not hide what is served beside the contract; a concrete path of the contract does', async () => {
  const server = serverOf(`paths:\n  /{name}: { get: ${OK}, post: ${OK} }\n  /openapi.yaml: { get: ${OK} }\n`);
  expect((await server.get('/livez')).status).toBe(404);
  expect((await server.get('/openapi.yaml')).body).toEqual(['getOpenapiYaml', {}]);
  expect((await server.get('/other')).body).toEqual(['getByName', { name: 'other' }]);
});

test('finds a path with a fragment by its encoded form, and without it where no other operation is', async () => {
  const server = serverOf(
    `servers: [{ url: /v1 }]\npaths:\n  /a#x: { get: ${OK}, post: ${OK} }\n  /a: { get: ${OK} }\n  /a#y: { post: ${OK} }\n  /b#{id}: { get: ${OK} }\n`,
  );
  for (const base of ['', '/v1']) {
    expect((await server.get(`${base}/a%23x`)).body).toEqual(['getAX', {}]);
    expect((await server.get(`${base}/a`)).body).toEqual(['getA', {}]);
    expect((await server.post(`${base}/a`)).body).toEqual(['postAX', {}]);
    expect((await server.post(`${base}/a%23y`)).body).toEqual(['postAY', {}]);
    expect((await server.get(`${base}/b%237`)).body).toEqual(['getBById', { id: '7' }]);
    expect((await server.get(`${base}/b`)).status).toBe(404);
  }
});
