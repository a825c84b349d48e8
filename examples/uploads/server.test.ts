import assert from 'node:assert/strict';
import { after, test } from 'node:test';

process.env['PORT'] = '0';
const { server, port } = await import('./server.ts');
after(() => server.close());

function upload(type: string, bytes: number): Promise<Response> {
  const body = new FormData();
  body.set('caption', 'asleep');
  body.set('photo', new Blob([new Uint8Array(bytes).fill(7)], { type }), 'cat.png');
  return fetch(`http://localhost:${port}/photos`, { method: 'POST', body });
}

test('a photo is stored, and sent as a whole or in part', async () => {
  const stored = await upload('image/png', 100_000);
  assert.deepEqual([stored.status, await stored.json()], [201, { id: 1, caption: 'asleep', bytes: 100_000 }]);
  const whole = await fetch(`http://localhost:${port}/photos/1`);
  assert.deepEqual([whole.headers.get('Content-Type'), (await whole.bytes()).length], ['image/png', 100_000]);
  const part = await fetch(`http://localhost:${port}/photos/1`, { headers: { Range: 'bytes=10-19' } });
  assert.deepEqual([part.status, (await part.bytes()).length], [206, 10]);
});

test('another type and a file that is too large are refused', async () => {
  assert.equal((await upload('text/html', 10)).status, 400);
  assert.equal((await upload('image/png', 5_242_881)).status, 413);
});
