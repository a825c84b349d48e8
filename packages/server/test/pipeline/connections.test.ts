/** What one turn of the event loop reads in an overload is bounded, and what waits is read newest first. */
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundReads } from '../../src/pipeline/connections.ts';
import { DRAINING } from '../../src/pipeline/http-server.ts';

const CLIENTS = 1000;
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('a turn of the event loop', () => {
  test('reads a part of the requests that arrive at once, and all are answered', async () => {
    const { connectAll, mostInTurn } = await startServer();
    const clients = await connectAll(CLIENTS);
    // Sent within one turn: the server is in this process.
    const answers = await Promise.all(clients.map((client) => ask(client, REQUEST)));
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200'))).toHaveLength(CLIENTS);
    expect(mostInTurn()).toBeLessThan(CLIENTS / 2);
  });

  test('reads the rest of a request that has begun', async () => {
    const { connectAll } = await startServer();
    const [uploader] = (await connectAll(1)) as [Socket];
    uploader.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n1');
    const clients = await connectAll(CLIENTS);
    let answered = 0;
    const others = clients.map(async (client) => {
      await ask(client, REQUEST);
      answered++;
    });
    await until(() => answered > 0);
    expect(await ask(uploader, '2')).toContain('200 OK');
    expect(answered).toBeLessThan(CLIENTS / 2);
    await Promise.all(others);
  });
});

/** Without room for new connections. */
async function startServer() {
  let inTurn = 0;
  let most = 0;
  const open = new Map<Socket, unknown>();
  let hasRoom = true;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    countWithoutSlot();
    if (inTurn++ === 0) setImmediate(() => (inTurn = 0));
    most = Math.max(most, inTurn);
    request.resume().once('end', () => response.end('ok'));
  };
  const server = createServer(handle);
  server.on('connection', (socket: Socket) => open.set(socket, 0));
  const countWithoutSlot = boundReads(server, open, () => (hasRoom ? CLIENTS : 0));
  await once(server.listen({ port: 0, host: '127.0.0.1', backlog: CLIENTS }), 'listening');
  const { port } = server.address() as AddressInfo;
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    mostInTurn: () => most,
    connectAll: async (count: number): Promise<readonly Socket[]> => {
      hasRoom = true;
      const before = open.size;
      const clients = Array.from({ length: count }, () => connect(port, '127.0.0.1').setNoDelay());
      await Promise.all(clients.map((client) => once(client, 'connect')));
      await until(() => open.size === before + count);
      // All that have waited are read.
      await sleep(50);
      hasRoom = false;
      return clients;
    },
  };
}

async function ask(client: Socket, text: string): Promise<string> {
  const answer = once(client, 'data') as Promise<[Buffer]>;
  client.write(text);
  return String((await answer)[0]);
}

const cleanUps: (() => void)[] = [];
afterAll(() => cleanUps.forEach((cleanUp) => cleanUp()));

describe('connections that wait', () => {
  afterEach(() => void jest.restoreAllMocks());

  test('are read newest first, those that were served before them', async () => {
    const { pauseAll, resumed } = fakeServer([0, 0, 0, 100, 0, 0]);
    pauseAll();
    await until(() => resumed.length === 6);
    expect(resumed).toEqual([3, 5, 4, 2, 1, 0]);
  });

  test('are read as far as there is room', async () => {
    const { pauseAll, resumed, room } = fakeServer(new Array<number>(20).fill(0));
    pauseAll();
    room.value = 10;
    await until(() => resumed.length > 0);
    expect(resumed).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
  });

  test('do not wait for more than 5 s, the oldest included', async () => {
    const { pauseAll, resumed } = fakeServer(new Array<number>(199).fill(0));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    pauseAll();
    clock.mockReturnValue(6000);
    await until(() => resumed.length > 1);
    expect(resumed.slice(0, 2)).toEqual([198, 197]);
    clock.mockReturnValue(6001);
    const before = resumed.length;
    await until(() => resumed.length > before + 8);
    expect(resumed.slice(before, before + 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 198 - before]);
  });

  test('are all read when the server stops, and no other waits', () => {
    const { server, pauseAll, resumed, paused } = fakeServer(new Array<number>(50).fill(0));
    pauseAll();
    server.emit(DRAINING);
    expect(resumed).toHaveLength(50);
    pauseAll();
    expect(paused()).toBe(50);
  });
});

/** Polls more often than the server resumes connections. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let polls = 0; !isTrue(); polls++) {
    if (polls > 5000) throw new Error(`waited for too long: ${isTrue.toString()}`);
    await sleep(1);
  }
}

/** A server without room, whose connections tell in which order they are resumed. @param bytesWritten of each connection. */
function fakeServer(bytesWritten: readonly number[]) {
  const server = createServer();
  const resumed: number[] = [];
  const room = { value: 0 };
  let paused = 0;
  const sockets = bytesWritten.map((bytes, number) => ({
    bytesWritten: bytes,
    isPaused: () => false,
    pause() {
      paused++;
      return this;
    },
    resume: () => resumed.push(number),
  }));
  const open = new Map(sockets.map((socket) => [socket as unknown as Socket, 0]));
  const countWithoutSlot = boundReads(server, open, () => room.value);
  return {
    server,
    resumed,
    room,
    paused: () => paused,
    /** Finds no slot for so many requests of this turn as may. */
    pauseAll: () => {
      for (let i = 0; i < 400; i++) countWithoutSlot();
    },
  };
}
