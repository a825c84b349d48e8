import assert from 'node:assert/strict';
import { after, test } from 'node:test';

process.env['PORT'] = '0';
const { server, port } = await import('./server.ts');
after(() => server.close());

test('greets by name', async () => {
  const response = await fetch(`http://localhost:${port}/hello/Ada`);
  assert.deepEqual([response.status, await response.json()], [200, { text: 'Hello, Ada!' }]);
});

test('refuses a name that the contract does not allow', async () => {
  const response = await fetch(`http://localhost:${port}/hello/${'a'.repeat(21)}`);
  assert.deepEqual([response.status, await response.json()], [400, { message: 'path/name must NOT have more than 20 characters' }]);
});

test('shows its contract at /docs', async () => {
  const response = await fetch(`http://localhost:${port}/docs`);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
});
