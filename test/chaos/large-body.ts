/** A body is announced with 20 GB, and sent as fast as it is read: it is refused at once, and not read. */
import { connect, type Socket } from 'node:net';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const LENGTH = 20_000_000_000;
const CHUNK = Buffer.alloc(65_536, 0x20);

interface Refusal {
  readonly status: number;
  /** Until the response arrived, and until the connection was closed. */
  readonly answeredMs: number;
  readonly closedMs: number;
  /** What the systems of both sides took; their buffers included. */
  readonly sentBytes: number;
}

/** Sends a request with a body without end. @param fields the header of the request, beside Host and the length. */
function flood(port: number, fields: readonly string[]): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const socket: Socket = connect(port, '127.0.0.1');
    let status = 0;
    let answeredMs = NaN;
    const write = () => {
      while (!socket.destroyed && socket.write(CHUNK));
    };
    socket.on('connect', () => {
      const head = ['POST /categories HTTP/1.1', 'Host: x', 'Content-Type: application/json', `Content-Length: ${LENGTH}`, ...fields];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      // Whoever expects to be told sends nothing before.
      if (!fields.includes('Expect: 100-continue')) write();
    });
    socket.on('drain', write).on('error', () => undefined);
    socket.on('data', (data) => {
      if (status === 0) answeredMs = performance.now() - startedAt;
      status ||= Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]);
    });
    socket.on('close', () =>
      resolve({ status, answeredMs, closedMs: performance.now() - startedAt, sentBytes: socket.bytesWritten - socket.writableLength }),
    );
    socket.setTimeout(30_000, () => reject(new Error('the connection was silent for 30 s')));
  });
}

export const scenario: Scenario = {
  summary: 'a body of 20 GB, without and with a key',
  timeoutMs: 120_000,
  async run(context) {
    const { measure, progress } = context;
    const database = await openDatabase(context);
    const { key } = await openShop(database, 1);
    const { url } = await startServer(context, database.url, { WORKER: 'off' });
    const port = Number(new URL(url).port);
    const authorization = `Authorization: Bearer ${key}`;
    const warm = await flood(port, []);
    const requests: [what: string, status: number, fields: string[]][] = [
      ['without a key', 401, []],
      ['with a key', 413, [authorization]],
      ['with a key, Expect: 100-continue', 413, [authorization, 'Expect: 100-continue']],
    ];
    for (const [what, expected, fields] of requests) {
      progress(what);
      const { status, answeredMs, closedMs, sentBytes } = await flood(port, fields);
      measure({ measured: `${what}: answers other than ${expected}`, value: status === expected ? 0 : 1, max: 0 });
      measure({ measured: `${what}: until the answer`, value: answeredMs, unit: 'ms', max: 200 });
      measure({ measured: `${what}: until the connection was closed`, value: closedMs, unit: 'ms', max: 3000 });
      measure({ measured: `${what}: taken of the body, with all buffers`, value: sentBytes / 1e6, unit: 'MB', max: 16 });
    }
    measure({ measured: 'the first request of the server: until the answer', value: warm.answeredMs, unit: 'ms' });
  },
};
