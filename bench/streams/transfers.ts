/** Uploads and downloads: how much memory a server takes for them at most, and how much CPU. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { RunningServer } from '../support/running-server.ts';
import { GIB, MIB } from './support.ts';

const BLOCK = Buffer.alloc(64 * 1024, 'x');
const BOUNDARY = 'a-boundary-of-the-bench';
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="name"\r\n\r\nfile\r\n` +
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: application/octet-stream\r\n\r\n`,
);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

interface TransferFigure {
  /** The most resident memory of the server's process, in MiB. */
  readonly peakMiB: number;
  /** CPU of the server's process. */
  readonly cpuSecondsPerGiB: number;
  readonly mibPerSecond: number;
}

export interface Transfer {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly path: string;
  /** Of each body, in bytes. */
  readonly bytes: number;
  readonly count: number;
  readonly atOnce: number;
}

/** How often memory is looked at, in ms. */
const POLL_MS = 20;

/** @throws Error if one is not answered 200. */
export async function measureTransfers(server: RunningServer, { method, path, bytes, count, atOnce }: Transfer): Promise<TransferFigure> {
  const send = method === 'GET' ? download : (port: number) => upload(port, method, path, bytes);
  const before = await server.ask({ kind: 'cpu' });
  const startedAt = performance.now();
  let peak = 0;
  const state = { isDone: false };
  const polling = (async () => {
    while (!state.isDone) {
      peak = Math.max(peak, await server.ask({ kind: 'memory' }));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  })();
  let begun = 0;
  const worker = async () => {
    while (begun++ < count) {
      const status = await send(server.port);
      if (status !== 200) throw new Error(`${server.entry.title}: ${method} ${path} is answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker)).finally(() => (state.isDone = true));
  await polling;
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (await server.ask({ kind: 'cpu' })) - before;
  return {
    peakMiB: peak / MIB,
    cpuSecondsPerGiB: cpu / 1e6 / ((count * bytes) / GIB),
    mibPerSecond: (count * bytes) / MIB / seconds,
  };
}

async function upload(port: number, method: string, path: string, bytes: number): Promise<number> {
  const isForm = method === 'POST';
  const headers = {
    'Content-Type': isForm ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/octet-stream',
    'Content-Length': bytes + (isForm ? HEAD.length + TAIL.length : 0),
  };
  const sent = request({ port, host: '127.0.0.1', path, method, headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // Awaited once all is sent.
  answered.catch(() => undefined);
  if (isForm) sent.write(HEAD);
  for (let left = bytes; left > 0; left -= BLOCK.length)
    if (!sent.write(left >= BLOCK.length ? BLOCK : BLOCK.subarray(0, left)) && !sent.destroyed)
      await Promise.race([once(sent, 'drain'), answered]);
  sent.end(isForm ? TAIL : undefined);
  const [response] = await answered;
  response.resume();
  await once(response, 'close');
  return response.statusCode ?? 0;
}

async function download(port: number): Promise<number> {
  const sent = request({ port, host: '127.0.0.1', path: '/bytes' }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  if (bytes !== 2 * GIB) throw new Error(`a download has ${bytes} bytes`);
  return response.statusCode ?? 0;
}
