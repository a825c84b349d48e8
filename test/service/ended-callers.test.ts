/** A stream of the pet store ends within seconds of what ends its key, at every server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { suspendAccount } from '@specwright/accounts';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));

/** @returns when the stream of a key ends, in ms from now on. */
async function open(key: string): Promise<() => Promise<number>> {
  const response = await fetch(`${app.url}/store/inventory/events`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const ended = (async () => {
    while (!(await reader.read()).done);
  })();
  return async () => {
    const began = performance.now();
    await ended;
    return performance.now() - began;
  };
}

test('revoked by the API, suspended by an operator, expired: its streams end within 5 s, and no others', async () => {
  const [revoked, suspended, expiring, other] = await Promise.all([1, 2, 3, 4].map(() => openShop(database.db, 0)));
  if (!revoked || !suspended || !expiring || !other) throw new Error('no shops');
  const headers = { authorization: `Bearer ${revoked.key}` };
  const body = JSON.stringify({ name: 'second' });
  const made = await fetch(`${app.url}/account/keys`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const second = (await made.json()) as { id: number; apiKey: string };
  const streams = await Promise.all([second.apiKey, suspended.key, expiring.key, other.key].map(open));
  expect((await fetch(`${app.url}/account/keys/${second.id}`, { method: 'DELETE', headers })).status).toBe(204);
  await suspendAccount(database.db, suspended.accountId, new Date());
  await database.db('api_keys').where({ account_id: expiring.accountId }).update({ expires_at: new Date() });
  const ended = await Promise.all(streams.slice(0, 3).map((end) => end()));
  expect(Math.max(...ended)).toBeLessThan(scaleTimeout(5500));
  const otherEnd = streams[3]?.();
  expect(await Promise.race([otherEnd, sleep(500).then(() => 'open')])).toBe('open');
});
