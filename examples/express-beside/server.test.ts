import assert from 'node:assert/strict';
import { after, test } from 'node:test';

process.env['PORT'] = '0';
const { server, port } = await import('./server.ts');
after(() => server.close());

const post = (body: object) =>
  fetch(`http://localhost:${port}/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the route with a contract is validated, the others are as before', async () => {
  const refused = await post({ txt: 'call Bob' });
  assert.deepEqual([refused.status, await refused.json()], [400, { message: 'body/text is required; body/txt is not declared' }]);
  const created = await post({ text: 'call Bob' });
  assert.deepEqual([created.status, await created.json()], [201, { id: 2, text: 'call Bob' }]);
  const read = await fetch(`http://localhost:${port}/notes/2`);
  assert.deepEqual([read.headers.get('X-Powered-By'), await read.json()], ['Express', { id: 2, text: 'call Bob' }]);
  assert.equal((await fetch(`http://localhost:${port}/notes`, { method: 'DELETE' })).status, 204);
});
