/** What one client can take of a process with 1,024 descriptors and a heap of 256 MB: each bound is exhausted, and all other clients are served. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test as anywhere } from '@jest/globals';
import { ROOT, withProgram } from '../support/program.ts';

const test = process.platform === 'linux' ? anywhere : anywhere.skip;
const program = withProgram('bounded');
/** What Node takes before the first request, with what V8 has not collected: 256 MB of heap, buffers beside it. */
const MAX_MIB = 400;
const TIMEOUT_MS = 60_000;

let child: ChildProcess | undefined;
let port = 0;
const sockets: Socket[] = [];

async function start(options: object = {}): Promise<void> {
  const command = `ulimit -n 1024 && exec "${process.execPath}" --max-old-space-size=256 "${program}" '${JSON.stringify(options)}'`;
  child = spawn('sh', ['-c', command], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  port = Number(line.toString());
}

/** @returns the most memory that the process has had, in MiB. */
async function stop(): Promise<number> {
  const { stderr } = child as ChildProcess;
  const errors: Buffer[] = [];
  stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  child?.kill('SIGTERM');
  await once(child as ChildProcess, 'close');
  child = undefined;
  return Number(Buffer.concat(errors).toString());
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  child?.kill('SIGKILL');
});

/** A client that sends something, and reads nothing but what comes first. */
async function attack(text: string | Buffer = '', thenEvery = 0): Promise<{ first: () => string; isOpen: () => boolean }> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  sockets.push(socket);
  let first = '';
  socket.on('data', (chunk: Buffer) => (first ||= chunk.toString('latin1').slice(0, 12))).on('error', () => undefined);
  await once(socket, 'connect').catch(() => undefined);
  if (text !== '') socket.write(text);
  if (thenEvery > 0) {
    const timer = setInterval(() => socket.write('x'), thenEvery);
    socket.once('close', () => clearInterval(timer));
  }
  return { first: () => first, isOpen: () => !socket.destroyed };
}
const attackers = (count: number, ...args: Parameters<typeof attack>) => Promise.all(Array.from({ length: count }, () => attack(...args)));

/** @returns the status of a request of a connection of its own, or why there is none. */
async function request(path: string, type: string, body: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  let code = 'closed';
  socket.on('error', (reason: NodeJS.ErrnoException) => (code = String(reason.code)));
  socket.write(headOf(path, type, body.length, 'close'));
  socket.write(body);
  await new Promise((resolve) => socket.once('close', resolve));
  return received.slice(9, 12) || code;
}
/** As clients do: waits for the second of `Retry-After` twice. */
async function requestWithRetries(...args: Parameters<typeof request>): Promise<string> {
  for (let retries = 2; ; retries--) {
    const status = await request(...args);
    // A connection may be closed before its first bytes arrive, which clients send again.
    if (!['503', 'EPIPE', 'ECONNRESET'].includes(status) || retries === 0) return status;
    await sleep(1000);
  }
}

const headOf = (path: string, type: string, length: number, connection = 'keep-alive') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

const BYTES = 'application/octet-stream';
const MULTIPART = 'multipart/form-data; boundary=b';
const parts = (count: number, length: number) =>
  `${`--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n${'x'.repeat(length)}\r\n`.repeat(count)}--b--\r\n`;

/** Eight neighbours, each with a small request, a body of several packets and a small file. */
async function serveNeighbours(times: number, send = request): Promise<string[]> {
  const statuses: string[] = [];
  for (let i = 0; i < times; i++) {
    const all = Array.from({ length: 8 }, () => [
      send('/pets', 'application/json', '{}'),
      send('/whole', BYTES, Buffer.alloc(100_000)),
      send('/spooled', MULTIPART, parts(2, 1000)),
    ]);
    statuses.push(...(await Promise.all(all.flat())));
  }
  return [...new Set(statuses)];
}

test('three forms of 1,000 files: descriptors', async () => {
  await start();
  // The last part is not ended, so that the files stay.
  const body = parts(1000, 0).slice(0, -8);
  await attackers(3, headOf('/spooled', MULTIPART, body.length + 8) + body);
  expect(await serveNeighbours(5)).toEqual(['204']);
});

test(
  '100 forms with files on disk that do not end: temporary files, and bytes on disk',
  async () => {
    await start({ requestTimeoutMs: 10_000 });
    const body = parts(1, 100_000).slice(0, -8);
    const clients = await attackers(100, headOf('/spooled', MULTIPART, body.length + 8) + body);
    await sleep(500);
    expect(await serveNeighbours(3)).toEqual(['204']);
    // A neighbour with a large file gets a place, because of the least rate.
    expect(await requestWithRetries('/spooled', MULTIPART, parts(1, 200_000))).toBe('204');
    expect(clients.filter(({ first }) => first() === 'HTTP/1.1 408').length).toBeGreaterThan(30);
  },
  TIMEOUT_MS,
);

test('1,200 connections that send nothing: connections', async () => {
  await start();
  const clients = await attackers(1200);
  expect(await serveNeighbours(5)).toEqual(['204']);
  expect(clients.filter(({ isOpen }) => isOpen()).length).toBeLessThan(900);
});

test('1,200 connections that drip a header field: connections', async () => {
  await start();
  await attackers(1200, 'GET /pets HTTP/1.1\r\nHost: a\r\nX: ', 1000);
  expect(await serveNeighbours(5)).toEqual(['204']);
});

test('1,200 bodies that drip: connections, and bytes in memory', async () => {
  await start();
  await attackers(1200, headOf('/whole', BYTES, 50_000) + 'x', 1000);
  expect(await serveNeighbours(3, requestWithRetries)).toEqual(['204']);
});

test(
  '170 uploads of 200 KB that drip, and take all of the budget: bytes in memory',
  async () => {
    await start({ bodyBudgetBytes: 33_554_432, requestTimeoutMs: 5000 });
    const body = Buffer.concat([Buffer.from(headOf('/whole', BYTES, 200_000)), Buffer.alloc(199_000)]);
    await attackers(170, body, 500);
    await sleep(500);
    expect(await serveNeighbours(3, requestWithRetries)).toEqual(['204']);
    expect(await stop()).toBeLessThan(MAX_MIB);
  },
  TIMEOUT_MS,
);

test(
  '60 forms of 900 files with header fields of 6 KB: bytes in memory',
  async () => {
    await start();
    const part = `--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\nX: ${'x'.repeat(6000)}\r\n\r\n\r\n`;
    const body = part.repeat(900);
    const clients = await attackers(60, headOf('/spooled', MULTIPART, body.length + 8) + body);
    expect(await serveNeighbours(3)).toEqual(['204']);
    expect(clients.map(({ first }) => first())).toContain('HTTP/1.1 400');
    expect(await stop()).toBeLessThan(MAX_MIB);
  },
  TIMEOUT_MS,
);

test('800 streams of items: open streams', async () => {
  await start({ streams: { perCaller: 10_000 } });
  const clients = await attackers(800, 'GET /events HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await serveNeighbours(3)).toEqual(['204']);
  const statuses = clients.map(({ first }) => first().slice(9));
  expect([...new Set(statuses)].sort()).toEqual(['200', '503']);
  expect(statuses.filter((status) => status === '200')).toHaveLength(416);
});
