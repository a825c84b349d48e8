/** Open streams of events: what each takes of memory, what an event costs, and what other requests notice of it. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { percentile } from '../../test/support/tools/load-client.ts';
import type { RunningServer } from '../support/running-server.ts';

interface EventFigure {
  readonly kibPerStream: number;
  /** CPU for an event in one stream, in µs. */
  readonly cpuPerEvent: number;
  /** Of other requests meanwhile, in ms. */
  readonly p50: number;
  readonly p99: number;
}

const GET = 'GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n';
/** How many are opened at once. */
const OPENING = 200;
const EVENTS = 10;
const PAUSE_MS = 1000;

/** @throws Error if a stream does not get every event. */
export async function measureEvents(server: RunningServer, streams: number): Promise<EventFigure> {
  await call(server.port, 'POST', '/ticks');
  const before = await server.ask({ kind: 'memory' });
  let received = 0;
  const sockets: Socket[] = [];
  for (let opened = 0; opened < streams; opened += OPENING)
    await Promise.all(
      Array.from({ length: Math.min(OPENING, streams - opened) }, async () => {
        const socket = connect(server.port, '127.0.0.1');
        sockets.push(socket);
        socket.write(GET);
        const [head] = (await once(socket, 'data')) as [Buffer];
        if (!head.toString().startsWith('HTTP/1.1 200')) throw new Error(`${server.entry.title}: ${head.toString().slice(0, 200)}`);
        socket.on('data', (chunk: Buffer) => (received += chunk.toString().split('data:').length - 1));
      }),
    );
  await pause();
  const memory = (await server.ask({ kind: 'memory' })) - before;
  const cpuBefore = await server.ask({ kind: 'cpu' });
  const latencies: number[] = [];
  const state = { isDone: false };
  const pinging = (async () => {
    while (!state.isDone) {
      const at = performance.now();
      await call(server.port, 'GET', '/ping');
      latencies.push(performance.now() - at);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  for (let i = 0; i < EVENTS; i++) {
    await call(server.port, 'POST', '/ticks');
    await pause();
  }
  state.isDone = true;
  await pinging;
  const cpu = (await server.ask({ kind: 'cpu' })) - cpuBefore;
  for (const socket of sockets) socket.destroy();
  if (received < EVENTS * streams) throw new Error(`${server.entry.title}: ${received} of ${EVENTS * streams} events came`);
  return {
    kibPerStream: memory / 1024 / streams,
    cpuPerEvent: cpu / (EVENTS * streams),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

async function call(port: number, method: string, path: string): Promise<void> {
  const sent = request({ port, host: '127.0.0.1', path, method }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
}
