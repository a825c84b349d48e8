/** A database that is opened: what its URL says, and how long it is waited for. */
import net from 'node:net';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { openDatabase } from '@specwright/postgres';
import { createDatabase, until, withFixture } from 'specwright/testing';

/** What is not needed here: nothing embedded is started. */
const OPTIONS = { name: 'x', databasePool: 1, dataDir: '.data' };
const database = withFixture(
  () => createDatabase({ schema: 'empty' }),
  (created) => created.drop(),
);

test('without prepared statements every pool to the database has none', async () => {
  const opened = await openDatabase({ ...OPTIONS, databaseUrl: database.url, databasePreparedStatements: false, connectNow: false });
  try {
    expect(new URL(opened.url).searchParams.get('prepared_statements')).toBe('off');
    await opened.db.raw('SELECT ?::int', [1]);
    expect((await opened.db.raw<{ rows: unknown[] }>('SELECT name FROM pg_prepared_statements')).rows).toEqual([]);
  } finally {
    await opened.close();
  }
});

test('waits for a database that comes later, and says so when it waits and when it answers', async () => {
  const url = new URL(database.url);
  const { port, hostname: host } = url;
  const proxy = net.createServer((client) => {
    const server = net.connect({ port: Number(port), host });
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const own = (proxy.address() as net.AddressInfo).port;
  proxy.close();
  await once(proxy, 'close');
  Object.assign(url, { hostname: '127.0.0.1', port: String(own) });
  const lines: string[] = [];
  const write = (_: object, message: string) => void lines.push(message);
  const opening = openDatabase({ ...OPTIONS, databaseUrl: url.href, startTimeout: 10_000, log: { info: write, warn: write } });
  await until(() => lines.length > 0);
  proxy.listen(own, '127.0.0.1');
  await (await opening).close();
  proxy.close();
  expect(lines).toEqual(['waiting for the database', 'the database answers']);
});
