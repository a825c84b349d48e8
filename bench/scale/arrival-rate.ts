/** Latency under a constant arrival rate: requests are sent when they are due, whether those before them were answered or not. */
import { connect, type Socket } from 'node:net';
import { compiled } from '../requests/compile.ts';
import { withDatabase } from '../requests/database.ts';
import { exchangeOf, createAcceptor, type Exchange } from '../requests/operations.ts';
import { createResponseReader } from '../requests/response-reader.ts';
import { withServers } from '../requests/servers/running-server.ts';
import { serversOf } from '../requests/servers/servers.ts';

const RATES = [500, 1000, 2000];
const DURATION_MS = 8000;
const WARM_UP_MS = 2000;
/** A client opens no more: beyond them requests wait for a connection, and that counts. */
const MAX_CONNECTIONS = 500;

export interface RateFigure {
  /** Requests that were due in a second, and those that were answered. */
  readonly rate: number;
  readonly answered: number;
  /** From the moment at which a request was due until its response was read, in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** GET of one row by its key, with API key, exact limits and log. */
export async function measureArrivalRates(node: string, spec: string, show: (text: string) => void): Promise<RateFigure[]> {
  const entries = serversOf('postgres', ['petstore-postgres-built']).map((entry) => ({ ...entry, module: compiled('petstore-postgres') }));
  return withDatabase(({ env, target }) =>
    withServers(entries, { node, env: { SPEC: spec, ...env } }, async ([server]) => {
      if (server === undefined) throw new Error('there is no server petstore-postgres-built');
      const exchange = exchangeOf('getPet', target);
      await sendAtRate(server.port, exchange, RATES[0] ?? 0, WARM_UP_MS);
      const figures: RateFigure[] = [];
      for (const rate of RATES) {
        show(`arrival rate: ${rate} a second`);
        figures.push(await sendAtRate(server.port, exchange, rate, DURATION_MS));
      }
      return figures;
    }),
  );
}

async function sendAtRate(port: number, exchange: Exchange, rate: number, ms: number): Promise<RateFigure> {
  const latencies: number[] = [];
  const idle: ((due: number) => void)[] = [];
  const sockets: Socket[] = [];
  const waiting: number[] = [];
  const accept = createAcceptor(exchange);
  let refused = 0;
  let failure: Error | undefined;

  function openConnection(first: number): void {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    let due = first;
    const send = (next: number): void => {
      due = next;
      socket.write(exchange.request, 'latin1');
    };
    const read = createResponseReader((response) => {
      // What is refused because too much is under way is no answer: a server that refuses fast has no good latency.
      if (response.status === 503) refused += 1;
      else if (accept(response)) latencies.push(performance.now() - due);
      else failure ??= new Error(`answered ${response.status}: ${response.body}`);
      const next = waiting.shift();
      if (next === undefined) idle.push(send);
      else send(next);
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => read(chunk));
    socket.on('error', (error) => (failure ??= error));
    send(first);
  }

  const began = performance.now();
  const count = Math.round((rate * ms) / 1000);
  let sent = 0;
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const now = performance.now();
      for (let due = began + (sent * 1000) / rate; sent < count && due <= now; due = began + (sent * 1000) / rate) {
        sent += 1;
        const send = idle.pop();
        if (send !== undefined) send(due);
        else if (sockets.length < MAX_CONNECTIONS) openConnection(due);
        else waiting.push(due);
      }
      if (failure !== undefined || latencies.length + refused === count || now - began > 3 * ms) return resolve();
      setTimeout(tick, 1);
    };
    tick();
  });
  for (const socket of sockets) socket.destroy();
  if (failure !== undefined) throw failure;
  const sorted = latencies.sort((a, b) => a - b);
  const percentile = (fraction: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN;
  return { rate, answered: sorted.length / count, p50: percentile(0.5), p99: percentile(0.99), p999: percentile(0.999) };
}
