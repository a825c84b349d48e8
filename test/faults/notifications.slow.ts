/** A queue of notifications that is full, because a session that listens hangs in a transaction: what is announced is done all the same. */
import { afterEach, expect, test } from '@jest/globals';
import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@specwright/embedded-postgres';
import { connect } from '@specwright/postgres';
import pg from 'pg';
import { killProcesses, removeFolder, scaleTimeout, until } from 'specwright/testing';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await killProcesses();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test(
  'a key is revoked, a message is delivered, and the refusals are counted',
  async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'notifications-')));
    await chmod(home, 0o755);
    cleanups.push(() => removeFolder(home));
    // The least that PostgreSQL takes: 512 KB.
    const settings = { fsync: 'off', max_notify_queue_pages: '64' };
    const embedded = await startEmbedded({ database: 'petstore', dataDir: join(home, '.data'), settings });
    cleanups.push(() => embedded.stop());
    const server = startProcess({ env: { DATABASE_URL: embedded.url, LOG_LEVEL: 'warn', METRICS: 'on' }, args: ['--migrate'] });
    const url = await server.url();
    const db = connect({ url: embedded.url, pool: 1 });
    cleanups.push(() => db.destroy());
    // Without limits: it asks for its message more often than a small plan allows.
    const { key } = await newAccount(db, 'enterprise');
    const call = clientWithKey(url, key);
    const spare = await call<{ id: number }>('POST', '/account/keys', { name: 'spare' });

    const hanging = new pg.Client({ connectionString: embedded.url });
    await hanging.connect();
    cleanups.push(() => hanging.end());
    for (const statement of ['LISTEN anything', 'BEGIN', 'SELECT 1']) await hanging.query(statement);
    const fill = async () => {
      for (let i = 0; i < 1000; i++) await db.raw(`SELECT pg_notify('anything', repeat('x', 7000) || ?)`, [String(i)]);
    };
    await expect(fill()).rejects.toMatchObject({ code: '54000' });

    expect((await call('DELETE', `/account/keys/${spare.body.id}`)).status).toBe(204);
    const sent = await call<{ id: string }>('POST', '/messages', { message: 'Rex is well.' });
    expect(sent.status).toBe(202);
    await until(async () => (await call<{ status: string }>('GET', `/messages/${sent.body.id}`)).body.status === 'sent', 15_000);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^db_client_notify_queue_full_total [1-9]/m);
    expect(server.output.stdout).not.toContain('"level":"error"');
  },
  scaleTimeout(120_000),
);
