/** Answers what never becomes a request, because Node cannot parse it: counted, logged and in the contract's form as any other. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { inBackground } from '@specwright/contract';
import type { AppError } from '@specwright/contract/runtime';
import type { Log, LogRequests } from '../log/logger.ts';
import type { ClientError, RefuseSocket } from './client-error.ts';
import type { RequestMetrics } from './context/request-metrics.ts';
import type { ServedSocket } from './http-server.ts';
import { INITIAL_HEADERS } from './exchange.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import type { ErrorFormatter } from './error-formatter.ts';

/** The parser's code for the end of a connection within a message. */
const UNEXPECTED_END = 'HPE_INVALID_EOF_STATE';

/** How long a client may take to read the answer, in ms. */
const LINGER_MS = 1000;

export interface RefuseSocketOptions {
  readonly format: ErrorFormatter;
  readonly rateLimit: Pick<RateLimit, 'countSocket'>;
  readonly log: Log;
  readonly logRequests: LogRequests;
  readonly metrics?: Pick<RequestMetrics, 'countError'> | undefined;
}

export function refuseSocket({ format, rateLimit, log, logRequests, metrics }: RefuseSocketOptions): RefuseSocket {
  const refused = new WeakSet<Socket>();
  const answer = async (error: AppError, socket: ServedSocket) => {
    const arrivedAt = performance.now();
    await answersBefore(socket);
    // The request itself is counted and logged.
    if (isCutOff(error, socket)) return void socket.destroy();
    if (!isFree(socket)) return end(socket);
    const requestId = randomUUID();
    const fields = INITIAL_HEADERS.withFirst(requestId);
    const refusal = await rateLimit.countSocket(socket, fields);
    // The request that it is part of may have been answered meanwhile, or the client may be gone.
    if (!isFree(socket)) return end(socket);
    const { status, headers, body, type } = format(refusal ?? error);
    metrics?.countError(refusal ?? error, status);
    const text = JSON.stringify(body);
    const all = fields.with(headers).merge({
      'Cache-Control': 'no-store',
      'Content-Type': type,
      'Content-Length': String(Buffer.byteLength(text)),
      Date: new Date().toUTCString(),
      Connection: 'close',
    });
    const head = all.list.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`);
    // Nothing more is read of it, so its end would not be seen, and a handler would wait for the rest of a body.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    if (logRequests === 'all')
      log.info(
        { requestId, status, error: (refusal ?? error).message, ms: performance.now() - arrivedAt },
        'answered what is not a request',
      );
  };
  return (error, socket) => {
    if (error === undefined) return void socket.destroy();
    // Node tells of every packet after the first one that it cannot parse.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answered = answer(error, socket).catch((err: unknown) => {
      socket.destroy();
      throw err;
    });
    inBackground(answered, log, 'what is not a request could not be answered');
  };
}

/** Waits until the requests before it on the connection have been answered (RFC 9112, section 9.3.2), or the connection is closed. */
async function answersBefore(socket: ServedSocket): Promise<void> {
  // What is not complete is what could not be parsed.
  while (socket._httpMessage?.req.complete === true && !socket.destroyed) {
    const response = socket._httpMessage;
    // When it is finished, Node has taken it from the connection before this is called.
    await new Promise((resolve) => response.once('finish', resolve).once('close', resolve));
    if (socket._httpMessage === response) return;
  }
}

/** Whether a client has ended its side within the body of a request: it is gone, as no request can be whole that way. */
const isCutOff = ({ cause }: AppError, { _httpMessage: current }: ServedSocket): boolean =>
  (cause as Partial<ClientError> | undefined)?.code === UNEXPECTED_END && current?.req.complete === false && !current.headersSent;

/** Whether nothing of a response to the request that it is part of is on its way. */
const isFree = (socket: ServedSocket): boolean => socket.writable && socket._httpMessage?.headersSent !== true;

/** A connection that is being closed has its last response on the way. */
function end(socket: Socket): void {
  if (!socket.writableEnded) socket.destroy();
}
