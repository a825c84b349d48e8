/** When a request was sent at the earliest, as far as its connection tells: what the client had been told by then. */
import type { Socket } from 'node:net';
import type { Exchange } from '../exchange.ts';

/** How long a connection may wait to be accepted, in ms: its request may have been sent that much earlier. */
const ACCEPT_DELAY_MS = 1000;

const TOLD_AT = Symbol('told at');
type MarkedSocket = Socket & { [TOLD_AT]?: { at: number } };

/** Call it for each connection that is opened. */
export function noteConnection(socket: Socket): void {
  (socket as MarkedSocket)[TOLD_AT] = { at: performance.now() - ACCEPT_DELAY_MS };
}

/** Call it for a connection by which a server serves what came on another one. */
export function shareConnection(inner: Socket, outer: Socket): void {
  (inner as MarkedSocket)[TOLD_AT] = (outer as MarkedSocket)[TOLD_AT] ??= { at: Infinity };
}

/** Call it for a request that is refused: its client knows when the response has been written. */
export function noteRefusal({ request, response }: Exchange): void {
  const socket = request.socket as MarkedSocket;
  response.once('finish', () => {
    const told = (socket[TOLD_AT] ??= { at: 0 });
    told.at = performance.now();
  });
}

/**
 * The moment after which a request was certainly sent, on the clock of `performance.now()`: when its connection was opened, or
 * had its last refusal answered, for a client sends no request on it before. When a request is read says little: on a busy
 * machine the last of a burst is read long after the first was answered. `-Infinity` if nothing is known, as of requests that
 * were sent without waiting for the answers before them.
 */
export function sentAfter({ request, arrivedAt }: Exchange): number {
  const { at = Infinity } = (request.socket as MarkedSocket)[TOLD_AT] ?? {};
  return at > arrivedAt ? -Infinity : at;
}
