/** Unread bodies: how a refused one is discarded. */
import type { IncomingMessage } from 'node:http';
import type { HeaderFields } from '@specwright/contract';
import { hasBody, isHttp2, streamOf } from '../../http/request-head.ts';
import type { Exchange } from '../exchange.ts';

/** What is left of a refused body is read and dropped up to this size, so that the connection can be used again. */
const MAX_DISCARDED_BYTES = 1024 * 1024;
/** How long a client may take to read the response before its connection is closed with a body that was not read, in ms. */
const LINGER_MS = 1000;

/**
 * For a response to a request whose body was not read to its end: what is left is dropped if it is small; otherwise, or if the
 * client still waits to be told to send it, the connection is closed.
 *
 * @param headers those of the response, which may get `Connection: close`.
 */
export function discardBody(exchange: Exchange, headers: HeaderFields): void {
  const { request, incoming: { stream, lease } = {} } = exchange;
  stream?.discard();
  if (request.complete || !hasBody(request)) return;
  const isShort = lease?.isRefused !== true && Number(request.headers['content-length'] ?? Infinity) <= MAX_DISCARDED_BYTES;
  // A client that expects `100 Continue` may send the body or not, so what comes next on the connection is unknown.
  if (isShort && request.awaitsContinue !== true) {
    endWithClient(request);
    return void request.resume();
  }
  // Of HTTP/2 it is the stream that ends, without an error, and its connection goes on (RFC 9113, section 8.1).
  if (isHttp2(request)) return void exchange.response.once('finish', () => streamOf(request).close());

  headers.set('Connection', 'close');
  const { socket } = request;
  // Closed at once, with bytes that were not read, TCP would reset the connection, and the client could lose the response
  // (RFC 9112, section 9.6). Node calls this when the response was written.
  socket.destroySoon = () => {
    request.pause();
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** A client that ends its side within a body that is dropped has its answer: what is left is no request. */
function endWithClient(request: IncomingMessage): void {
  if (isHttp2(request)) return;
  const { socket } = request;
  const end = () => void socket.end();
  socket.once('end', end);
  request.once('end', () => socket.off('end', end)).once('close', () => socket.off('end', end));
}
