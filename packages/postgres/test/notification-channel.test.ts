/** A channel of notifications to a database that closes every connection. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { connect, directClient, openNotificationChannel } from '@specwright/postgres';
import type pg from 'pg';
import { createDatabase, until } from 'specwright/testing';

test('connects again and again, and not once it is closed', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const db = connect({ url: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`, pool: 1 });
  const losses: boolean[] = [];
  const ignore = () => undefined;
  const channel = openNotificationChannel(db, 'changes', {
    onNotification: ignore,
    onListening: ignore,
    onLost: (_, isFirst) => void losses.push(isFirst),
  });
  try {
    await until(() => losses.length === 2);
    expect(losses).toEqual([true, false]);
    await channel.close();
    const before = connections;
    // The next one would have been made within 200 ms.
    await sleep(500);
    expect(connections).toBe(before);
    expect(losses).toHaveLength(2);
  } finally {
    await channel.close();
    await db.destroy();
    server.close();
  }
});

// `pg` warns of statements that are sent while others wait, unless they are in a pipeline.
test('a session of its own takes several statements at once', async () => {
  const database = await createDatabase({ schema: 'empty' });
  const client = directClient(database.db);
  const session = (await client.acquireRawConnection()) as pg.Client & { readonly pipeline: boolean };
  try {
    expect(session.pipeline).toBe(true);
    const results = await Promise.all([1, 2, 3].map((n) => session.query<{ n: number }>('SELECT $1::int AS n', [n])));
    expect(results.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
  } finally {
    await client.destroyRawConnection(session);
    await database.drop();
  }
});
