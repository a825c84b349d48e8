/** A channel of notifications to a database that closes every connection. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { connect, openNotificationChannel } from '@specwright/postgres';
import { until } from 'specwright/testing';

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
