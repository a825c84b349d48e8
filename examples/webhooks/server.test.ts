import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { startReceiver } from './receiver.ts';

Object.assign(process.env, { PORT: '0', DATA_DIR: mkdtempSync(join(tmpdir(), 'shop-')) });
const { port, stop } = await import('./server.ts');
after(stop);

async function send(method: string, path: string, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`http://localhost:${port}${path}`, { method, headers, body: JSON.stringify(body) });
  return response.json();
}

test('an order that is placed is reported to the webhook, signed', async () => {
  let secret = '';
  const orders = new PassThrough({ objectMode: true });
  const receiver = await startReceiver(0, () => secret, (order) => orders.write(order)); // prettier-ignore
  after(() => receiver.server.close());

  ({ secret } = (await send('PUT', '/webhook', { url: receiver.url })) as { secret: string });
  const placed = await send('POST', '/orders', { item: 'tea' });
  assert.deepEqual(await once(orders, 'data'), [placed]);

  const seconds = String(Math.floor(Date.now() / 1000));
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': 'v1,Zm9yZ2Vk' };
  const forged = await fetch(receiver.url, { method: 'POST', headers, body: JSON.stringify(placed) });
  assert.equal(forged.status, 401);
});
