/** What the server answers outside of the contract's operations: probes, the contract itself, unknown paths. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { parse } from 'yaml';
import { withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';

const database = withDatabase();
let reason: string | undefined;
const app = withApp(() => startApp(database.db, { readiness: { reason: () => reason, check: async () => reason } }));

test('serves the contract with everything written out, but for operations that are off, as YAML and as JSON', async () => {
  const document = JSON.parse(await readFile('generated/document.json', 'utf8')) as {
    paths: Record<string, object>;
    'x-rate-limit-plans': { operations: Record<string, object> };
  };
  // Accounts are open to all here: sign-ups by mail are off.
  for (const path of Object.keys(document.paths)) if (path.startsWith('/sign-ups')) delete document.paths[path];
  delete document['x-rate-limit-plans'].operations['requestSignUp'];
  await request(app.server)
    .get('/openapi.yaml')
    .buffer()
    .expect(200)
    .expect('Content-Type', 'application/yaml')
    .expect(({ text: served }) => {
      expect(parse(served)).toEqual(document);
    });
  await request(app.server).get('/openapi.json').expect(200, document);
});

test('a server that is not ready is alive, is not ready without the reason, and answers operations with 503', async () => {
  reason = 'the database lacks migrations';
  await request(app.server).get('/livez').expect(200, { status: 'ok' });
  // Why is for the log: anyone may ask.
  const error = { code: 'service_unavailable', message: 'the server is not ready', status: 503 };
  await request(app.server).get('/readyz').expect(503, error).expect('Retry-After', '1').expect('Cache-Control', 'no-store');
  const refusal = await request(app.server).get('/pets').expect(503).expect('Retry-After', '1');
  expect(refusal.body).toEqual(error);
  reason = undefined;
  await request(app.server).get('/readyz').expect(200, { status: 'ok' });
});

test('answers an unknown path with 404, whatever the method', async () => {
  for (const method of ['get', 'post', 'delete', 'options'] as const) {
    const response = await request(app.server)[method]('/nowhere').expect(404);
    expect(response.body).toEqual({ code: 'not_found', message: 'there is no /nowhere', status: 404 });
  }
});
