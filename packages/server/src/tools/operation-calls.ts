/** Calls operations from within the server: each is a request over a connection in memory, so that all of the pipeline sees it. */
import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Request } from 'express';
import type { RefuseSocket } from '../pipeline/client-error.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { ExpressApp } from '../pipeline/express-app.ts';
import { createHttpServer } from '../pipeline/http-server.ts';
import { shareConnection } from '../pipeline/rate-limit/sent-after.ts';
import type { OperationRequest, OperationResponse } from './tool-server.ts';

/** Calls an operation of the service that a request is for, as its caller. */
export type CallFrom = (caller: Exchange, request: OperationRequest, signal: AbortSignal) => Promise<OperationResponse>;

/** Fields of the caller's request that are not those of its calls: of its connection, its body, its own protocol, and of its response. */
const OWN_FIELDS =
  /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|accept|accept-.*|content-.*|if-.*|range|prefer|origin|referer|sec-.*|access-control-.*|mcp-.*|last-event-id|idempotency-key|x-request-id|traceparent|:.*)$/;

/** What of the caller's connection its calls are known by. */
type CallSocket = Duplex & { remoteAddress?: string | undefined; encrypted?: true; mount?: string };

/**
 * @param listener serves a request of the server. The address of the client, the id and the trace of the request, and its credentials are
 * those of the caller.
 */
export function createOperationCalls(
  expressApp: ExpressApp,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  refuse: RefuseSocket,
): CallFrom {
  // It never listens: its connections are made here.
  const server = createHttpServer(
    expressApp,
    (request, response) => {
      (request as Request).baseUrl = (request.socket as unknown as CallSocket).mount ?? '';
      listener(request, response);
    },
    refuse,
  );
  return async (caller, { method, target, headers, body }, signal) => {
    const [clientSide, serverSide] = duplexPair() as [Duplex, CallSocket];
    const { base } = caller.service;
    const { socket } = caller.request;
    serverSide.remoteAddress = socket.remoteAddress;
    serverSide.mount = caller.base.slice(0, caller.base.length - base.length);
    if ('encrypted' in socket) serverSide.encrypted = true;
    // A side does not learn by itself that the other one was destroyed.
    clientSide.once('close', () => serverSide.destroy());
    serverSide.once('close', () => {
      if (!serverSide.writableFinished) clientSide.destroy(new Error('the connection was closed'));
    });
    shareConnection(serverSide as unknown as Socket, socket);
    server.emit('connection', serverSide);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = sendRequest({
        method,
        path: base + target,
        headers: { ...fieldsOf(caller), ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
        signal,
        createConnection: () => clientSide,
      });
      request.once('response', resolve).once('error', reject).end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
  };
}

/** What the caller has sent that its calls have too, such as credentials and what a proxy says of its address. */
function fieldsOf({ request, id, traceparent }: Exchange): Record<string, string | readonly string[]> {
  const fields: Record<string, string | string[]> = { 'X-Request-Id': id, ...(traceparent !== undefined && { traceparent }) };
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const [name, value] = [(request.rawHeaders[i] ?? '').toLowerCase(), request.rawHeaders[i + 1] ?? ''];
    if (OWN_FIELDS.test(name)) continue;
    const before = fields[name];
    // A field that is given twice stays so: what refuses it has to see it.
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  fields['host'] ??= request.headers[':authority'] as string;
  return fields;
}
