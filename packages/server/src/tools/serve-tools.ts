/** Pipeline steps of `POST /mcp`: admits the request of an agent's host, and has it answered by calls of operations. */
import { type Contract, type ContractOperation, jsonOf } from '@specwright/contract';
import { AppError, FRAMEWORK_ERRORS, codeOfStatus, type ErrorStatuses } from '@specwright/contract/runtime';
import { authenticate, type AuthenticateOptions } from '../pipeline/authentication/authenticate.ts';
import { contentCodingOf, readAll } from '../pipeline/body/read-body.ts';
import type { BodyOptions } from '../pipeline/body/body-options.ts';
import { linkSignals } from '../ops/time-limits.ts';
import { ANY_ORIGIN } from '../pipeline/cors/origins.ts';
import type { Exchange, Sets } from '../pipeline/exchange.ts';
import type { Step } from '../pipeline/step.ts';
import { distinctAlternatives } from '../pipeline/match/match.ts';
import type { ExchangeLifecycle } from '../pipeline/exchange-lifecycle.ts';
import { send } from '../pipeline/send-response.ts';
import type { ContractTools, OperationResponse, OperationRequest } from './tool-server.ts';
import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RefuseSocket } from '../pipeline/client-error.ts';
import type { ExpressApp } from '../pipeline/express-app.ts';
import { createHttpServer } from '../pipeline/http-server.ts';
import { shareConnection } from '../pipeline/rate-limit/told-at.ts';

/** What a message has beside the body of an operation: names, ids, and what hosts add to them. */
const ENVELOPE_BYTES = 64 * 1024;

export interface ToolOptions {
  readonly contract: Pick<Contract, 'operations'>;
  readonly tools: ContractTools;
  readonly calls: Parameters<typeof createOperationCalls>;
  readonly authentication: AuthenticateOptions;
  readonly origins: readonly string[];
  readonly bodies: Pick<BodyOptions, 'maxBodyBytes' | 'budget'>;
  readonly exchanges: Pick<ExchangeLifecycle, 'awaitClient' | 'received' | 'stopDeadline'>;
  readonly count: Step;
}

/** Each call of an operation is a request with steps of its kind; a message that calls none is counted as any other request. */
export function serveTools(options: ToolOptions): Step {
  const { contract, tools, calls, authentication, origins, bodies, exchanges: lifecycle, count } = options;
  const operations = contract.operations.filter(({ id }) => tools.operations.has(id));
  const isOpen = operations.some(({ requirements }) => requirements.length === 0 || requirements.some((required) => required.length === 0));
  const limits = operations.map(({ bodyLimit }) => bodyLimit ?? bodies.maxBodyBytes);
  const reading = { budget: bodies.budget, lifecycle, maxBytes: Math.max(...limits) + ENVELOPE_BYTES };
  const keyNames = new Map(operations.map((operation) => [operation.id, queryKeys(operation)]));
  const call = createOperationCalls(...calls);
  const assertOrigin = checkOrigin(origins, authentication.statuses);
  // Hosts log in when the endpoint itself says 401, and not when a tool does.
  const logIn = isOpen ? undefined : authenticate(distinctAlternatives(operations), authentication);
  return async (exchange: Exchange & Sets<'incoming'>) => {
    const { request, headers } = exchange;
    assertOrigin(exchange);
    await logIn?.(exchange);
    if (exchange.isExpired) return;
    const body = (await readAll(exchange, reading, contentCodingOf(request.headers['content-encoding']))).toString();
    // The calls have deadlines.
    lifecycle.stopDeadline(exchange);
    const { others, messages } = countMessages(body);
    for (let i = 0; i < others; i++) await count(exchange);
    let calls = 0;
    let lowest: OperationResponse | undefined;
    const answer = await tools.answer({
      headers: request.headers,
      body,
      signal: exchange.signal,
      // The host may be gone, or want it no more.
      call: async (operation, signal) => {
        calls += 1;
        const linked = linkSignals([signal, exchange.signal]);
        try {
          const target = withKeys(operation.target, exchange.query, keyNames.get(operation.operationId));
          const response = await call(exchange, { ...operation, target }, linked.signal);
          lowest = withFewestLeft(lowest, response);
          return response;
        } finally {
          linked.release();
        }
      },
    });
    if (lowest !== undefined) copyLimits(lowest, exchange);
    // Messages that should have called an operation, and did not.
    for (let i = others + calls; i < messages; i++) await count(exchange);
    headers.merge({ 'Cache-Control': 'no-store' }).merge(answer.headers);
    send(exchange, { status: answer.status, headers, type: answer.type, body: undefined, text: answer.text });
  };
}

/** The names of the API keys that an operation has in its query. */
const queryKeys = ({ requirements }: ContractOperation): ReadonlySet<string> =>
  new Set(
    requirements.flat().flatMap(({ definition }) => (definition.type === 'apiKey' && definition.in === 'query' ? [definition.name] : [])),
  );

/** Adds the keys that the caller has sent: only those of the operation, which would refuse another one as an unknown parameter. */
function withKeys(target: string, sent: URLSearchParams, names?: ReadonlySet<string>): string {
  const keys = new URLSearchParams([...sent].filter(([name]) => names?.has(name)));
  return keys.size === 0 ? target : `${target}${target.includes('?') ? '&' : '?'}${keys.toString()}`;
}

/** A batch of more messages is refused by the protocol's library. */
const MAX_MESSAGES = 100;

/** How many messages a body has, as a batch (JSON-RPC 2.0, section 6) or alone, and how many of them cannot call an operation. */
function countMessages(body: string): { readonly others: number; readonly messages: number } {
  if (!/^\s*\[/.test(body)) return { others: 0, messages: 1 };
  // What is not JSON is answered with an error.
  const batch = (jsonOf(body) ?? []) as readonly unknown[];
  if (batch.length === 0 || batch.length > MAX_MESSAGES) return { others: 0, messages: 1 };
  const isCall = (message: unknown) => (message as { method?: unknown } | null)?.method === 'tools/call';
  return { others: batch.filter((message) => !isCall(message)).length, messages: batch.length };
}

/** A page that a browser shows could call a server that only its user reaches, by DNS rebinding: its Host would be right too. */
function checkOrigin(origins: readonly string[], statuses: ErrorStatuses = FRAMEWORK_ERRORS): (exchange: Exchange) => void {
  const code = codeOfStatus(statuses, 403) ?? 'invalid_request';
  return ({ request: { headers } }) => {
    const { origin } = headers;
    if (origin === undefined || origins.includes(origin) || origins.includes(ANY_ORIGIN)) return;
    throw new AppError(code, 'header/Origin is not one that may call this server: its operator adds it to CORS_ORIGINS', { status: 403 });
  };
}

const LIMIT_FIELDS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'];

/** Calls of a batch run at once, and end in any order. */
function withFewestLeft(first: OperationResponse | undefined, second: OperationResponse): OperationResponse {
  const leftOf = ({ headers }: OperationResponse) => Number(headers['x-ratelimit-remaining']);
  return first !== undefined && leftOf(first) < leftOf(second) ? first : second;
}

function copyLimits({ headers: sent }: OperationResponse, { headers }: Exchange): void {
  for (const name of LIMIT_FIELDS) {
    const value = sent[name.toLowerCase()];
    if (typeof value === 'string') headers.set(name, value);
  }
}

// Calls operations from within the server: each is a request over a connection in memory, so that all of the pipeline sees it.

type CallFrom = (caller: Exchange, request: OperationRequest, signal: AbortSignal) => Promise<OperationResponse>;

/** Fields of the caller's request that are not those of its calls: of its connection, its body, its own protocol, and of its response. */
const OWN_FIELDS =
  /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|accept|accept-.*|content-.*|if-.*|range|prefer|origin|referer|sec-.*|access-control-.*|mcp-.*|last-event-id|idempotency-key|x-request-id|traceparent|:.*)$/;

/** What of the caller's connection its calls are known by. */
type CallSocket = Duplex & { remoteAddress?: string | undefined; encrypted?: true; mount?: string };

/**
 * @param listener serves a request of the server. The address of the client, the id and the trace of the request, and its credentials are
 * those of the caller.
 */
function createOperationCalls(
  expressApp: ExpressApp,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  refuse: RefuseSocket,
): CallFrom {
  // It never listens: its connections are made here.
  const server = createHttpServer(
    expressApp,
    (request, response) => {
      const { mount = '' } = request.socket as unknown as CallSocket;
      Object.assign(request, { baseUrl: mount, originalUrl: mount + (request.url ?? '') });
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
