/** No API key is ever logged or stored: keys are used in every way, then searched for in the log and the database. */
import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { dumpRows, killProcesses, withDatabase, withFixture } from 'specwright/testing';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';

const database = withDatabase();
const server = withFixture(() => startProcess({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'trace' } }), killProcesses);

/** What of a key must not be found: the whole of it and its random part, plain and encoded. */
const tracesOf = (key: string) =>
  [key, key.slice(9, -6), key.slice(13, -6)].flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').slice(0, -4),
  ]);

/** A retry is given the same key again, so its response is stored. */
const RETRYABLE = { 'Idempotency-Key': '8e03978e-40d5-43dd-bc93-6894a57f9324' };

test('keys that are created, used, misused, rotated and revoked are in no log line and no row', async () => {
  const url = await server.url();
  const { key } = await newAccount(database.db);
  const call = clientWithKey(url, key);
  const keys = [key];
  const made = await call<{ id: number; apiKey: string }>('POST', '/account/keys', { name: 'Till 2' }, RETRYABLE);
  const next = await call<{ id: number; apiKey: string }>(
    'POST',
    `/account/keys/${made.body.id}/rotation`,
    {},
    { 'Idempotency-Key': 'rotation' },
  );
  const account = await call<{ apiKey: string }>('POST', '/accounts', { email: 'canary@example.com' }, RETRYABLE);
  keys.push(made.body.apiKey, next.body.apiKey, account.body.apiKey);
  expect(keys.every((one) => /^psk_live_/.test(one))).toBe(true);

  for (const one of keys) {
    const send = clientWithKey(url, one);
    await send('GET', '/pets');
    await send('POST', '/categories', { name: 'Dogs' });
    await send('GET', `/pets?limit=${one}`); // where it does not belong
    await send('GET', `/${one}`);
    await send('GET', `/account/keys/${one}`);
    await send('POST', '/categories', { [one]: 1 });
    await send('POST', '/categories', { name: 'x' }, { 'Content-Type': one });
    await send('GET', '/pets', undefined, { Authorization: `Basic ${one}` });
    await send('GET', '/pets', undefined, { Authorization: `Bearer ${one} ${one}` });
    await send('GET', '/pets', undefined, { Cookie: `key=${one}`, Referer: `https://example.com/${one}` });
  }
  await call('DELETE', `/account/keys/${next.body.id}`);
  // A statement that fails: what the database says of it stays out, too.
  await database.db.raw('ALTER TABLE pets RENAME TO missing');
  expect((await call('GET', '/pets')).status).toBe(500);
  await database.db.raw('ALTER TABLE missing RENAME TO pets');
  server.child.kill('SIGTERM');
  await server.exited;

  const written = server.output.stdout + server.output.stderr;
  expect(written.split('\n').length).toBeGreaterThan(40);
  const rows = await dumpRows(database.db);
  // The search itself works: it finds what is there.
  expect(rows).toContain(createHash('sha256').update(key).digest('hex'));
  expect(rows).toContain('canary@example.com');
  expect(await database.db('idempotency_keys').whereNotNull('response').select('id')).toHaveLength(3);
  for (const trace of keys.flatMap(tracesOf)) {
    expect(written).not.toContain(trace);
    expect(rows).not.toContain(trace);
  }
});
