/** Marks connections with the moment at which their client was last told something: a request that comes on one was sent after that. */
import type { Socket } from 'node:net';
import type { Exchange } from '../exchange.ts';

/** How long a connection may wait to be accepted, in ms: its request may have been sent that much earlier. */
const ACCEPT_DELAY_MS = 1000;

/** The mark, on the clock of `performance.now()`, in ms. */
export const TOLD_AT = Symbol('told at');
export type MarkedSocket = Socket & { [TOLD_AT]?: { at: number } };

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
