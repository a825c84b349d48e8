/** Canary: keys are used in every way, good and bad, and then searched for in the log and in the database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { dumpRows, createDatabase, killProcesses, type TestDatabase, type TestProcess } from '@specwright/testing';
import { newAccount } from '../support/app.ts';
import { clientWithKey } from '../support/client.ts';
import { startProcess } from '../support/process.ts';

let database: TestDatabase;
let server: TestProcess;
let url: string;
beforeAll(async () => {
  database = await createDatabase();
  server = startProcess({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'trace' } });
  url = await server.url();
}, 60_000);
afterAll(async () => {
  await killProcesses();
  await database.drop();
});

/** What of a key must be nowhere: it, its random part, and both in other alphabets. */
const tracesOf = (key: string) =>
  [key, key.slice(9, -6), key.slice(13, -6)].flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').slice(0, -4),
  ]);

test('a key that was used in every way, and one that was made, replaced and revoked, is in no log line and in no row', async () => {
  const { key } = await newAccount(database.db);
  const call = clientWithKey(url, key);
  const keys = [key];
  const made = await call<{ id: number; apiKey: string }>('POST', '/account/keys', { name: 'Till 2' });
  const next = await call<{ id: number; apiKey: string }>('POST', `/account/keys/${made.body.id}/rotation`, {});
  const account = await call<{ apiKey: string }>('POST', '/accounts', { email: 'canary@example.com' });
  keys.push(made.body.apiKey, next.body.apiKey, account.body.apiKey);
  expect(keys.every((one) => /^psk_live_/.test(one))).toBe(true);

  for (const one of keys) {
    const with_ = clientWithKey(url, one);
    await with_('GET', '/pets');
    await with_('POST', '/categories', { name: 'Dogs' });
    await with_('GET', `/pets?limit=${one}`); // where it does not belong
    await with_('GET', `/${one}`);
    await with_('GET', `/account/keys/${one}`);
    await with_('POST', '/categories', { [one]: 1 });
    await with_('POST', '/categories', { name: 'x' }, { 'Content-Type': one });
    await with_('GET', '/pets', undefined, { Authorization: `Basic ${one}` });
    await with_('GET', '/pets', undefined, { Authorization: `Bearer ${one} ${one}` });
    await with_('GET', '/pets', undefined, { Cookie: `key=${one}`, Referer: `https://example.com/${one}` });
  }
  await call('DELETE', `/account/keys/${next.body.id}`);
  // A statement that fails: what the database says of it stays out, too.
  await database.db.raw('ALTER TABLE pets RENAME TO lost');
  expect((await call('GET', '/pets')).status).toBe(500);
  await database.db.raw('ALTER TABLE lost RENAME TO pets');
  server.child.kill('SIGTERM');
  await server.exited;

  const written = server.output.stdout + server.output.stderr;
  expect(written.split('\n').length).toBeGreaterThan(40);
  const rows = await dumpRows(database.db);
  // The search itself works: it finds what is there.
  expect(rows).toContain(createHash('sha256').update(key).digest('hex'));
  expect(rows).toContain('canary@example.com');
  for (const trace of keys.flatMap(tracesOf)) {
    expect(written).not.toContain(trace);
    expect(rows).not.toContain(trace);
  }
});
