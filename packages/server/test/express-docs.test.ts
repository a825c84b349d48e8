/** docs/how-to/express-handlers.md: its example is the code in test/express, which is type-checked with the rest and answers as the page says. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bearer, createServer, loadContract } from '@specwright/server';
import { createTestLog, listenOnFreePort, withApp } from 'specwright/testing';
import { handlers } from './express/handlers.ts';
import { contract as generated, type Security } from './readme/generated/contract.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();

const app = withApp(async () => {
  const contract = await loadContract(new URL('readme/openapi.yaml', import.meta.url), generated);
  const security: Security<{ userId: number }> = { token: bearer(async (token) => (token === 'secret' ? { userId: 1 } : undefined)) };
  return listenOnFreePort(createServer({ contract, handlers, security, log: createTestLog() }));
});

test('shows the file of the example', () => {
  expect(read('../../../docs/how-to/express-handlers.md')).toContain(`\`\`\`ts\n${read('express/handlers.ts')}\n\`\`\``);
});

test('the example answers as the contract says', async () => {
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' };
  const created = await fetch(`${app.url}/notes`, { method: 'POST', headers, body: '{"text":"hello"}' });
  expect([created.status, created.headers.get('location'), await created.json()]).toEqual([201, '/notes/1', { id: 1, text: 'hello' }]);
  const found = await fetch(`${app.url}/notes/1`, { headers });
  expect([found.status, await found.json()]).toEqual([200, { id: 1, text: 'hello' }]);
  const missing = await fetch(`${app.url}/notes/2`, { headers });
  expect([missing.status, await missing.json()]).toEqual([404, { code: 'not_found', message: 'there is no note 2', status: 404 }]);
  expect((await fetch(`${app.url}/notes/0`, { headers })).status).toBe(400);
});
