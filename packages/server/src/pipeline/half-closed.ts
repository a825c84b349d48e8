/** Connections whose client has ended its side: it still gets the answers to what it has sent. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHttp2 } from '../http/request-target.ts';

/**
 * How long nothing may be written to such a connection before it is closed, in ms. TCP tells a client that only sends no more from one
 * that is gone by the answer to what is written: until then work for a client that may have gone goes on.
 */
const SILENCE_MS = 1000;

/** What this file uses of Node's servers: whether a connection goes on when its client has ended its side. */
interface HalfOpenServer {
  httpAllowHalfOpen: boolean;
}

/** Call it before the server listens. @param event by which it tells of a connection. */
export function answerHalfClosed(server: Server, event: 'connection' | 'secureConnection'): void {
  (server as Server & HalfOpenServer).httpAllowHalfOpen = true;
  server.on(event, (socket: Socket) => socket.once('end', closeWhenSilent));
}

function closeWhenSilent(this: Socket): void {
  let written = this.bytesWritten;
  const timer = setInterval(() => {
    if (this.bytesWritten === written) this.destroy();
    written = this.bytesWritten;
  }, SILENCE_MS).unref();
  this.once('close', () => clearInterval(timer));
}

/** For a response without a known end, which may be silent for long: its client reads on only as long as its side is open. */
export function closeWithClient(request: IncomingMessage, response: ServerResponse): void {
  if (isHttp2(request)) return;
  const { socket } = request;
  const close = () => response.destroy();
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
}
