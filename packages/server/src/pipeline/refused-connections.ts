/** Connections on which no further request is served, because where one ends and the next begins is not certain. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const REFUSED = Symbol('refused');
type MarkedSocket = IncomingMessage['socket'] & { [REFUSED]?: true };

/** The response to this request is the last one of its connection. */
export function refuseConnection(request: IncomingMessage, response: ServerResponse): void {
  (request.socket as MarkedSocket)[REFUSED] = true;
  response.shouldKeepAlive = false;
}

/** Whether a request before it on the connection was the last one (RFC 9112, section 9.6). */
export const isOnRefusedConnection = (request: IncomingMessage): boolean => (request.socket as MarkedSocket)[REFUSED] === true;
