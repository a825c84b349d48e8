import assert from 'node:assert/strict';
import { after, test } from 'node:test';

process.env['PORT'] = '0';
const { server, port } = await import('./server.ts');
after(() => server.close());

test('both versions answer, and v1 says until when', async () => {
  const v1 = await fetch(`http://localhost:${port}/v1/users/1`);
  assert.deepEqual([v1.headers.get('Sunset'), await v1.json()], ['Thu, 31 Dec 2099 00:00:00 GMT', { id: 1, name: 'Ada Lovelace' }]);
  const v2 = await fetch(`http://localhost:${port}/v2/users/1`);
  assert.deepEqual([v2.headers.get('Sunset'), await v2.json()], [null, { id: 1, givenName: 'Ada', familyName: 'Lovelace' }]);
  assert.equal((await fetch(`http://localhost:${port}/users/1`)).status, 404);
});
