/** Makes a handler of an Express one: it gets Express's request and response, and what it sends goes the way of a reply. */
import type { ServerResponse } from 'node:http';
import {
  type ContractOperation,
  type ContractTypes,
  type HandlerResponse,
  type OperationId,
  type UnvalidatedResponse,
  isThenable,
  restoreIntegers,
  bodyKind,
  declaredType,
} from '@specwright/contract';
import type { Request } from 'express';
import type { ExpressHandler } from '../types/express-types.ts';
import type { Handler } from '../types/handlers.ts';
import { exchangeOf } from '../pipeline/call-handler.ts';
import { type Exchange, operationOf } from '../pipeline/exchange.ts';
import { toAppError } from '../pipeline/middleware.ts';
import { CapturedResponse, declaredResponse } from './captured-response.ts';
import { withoutBaseBefore } from '../http/below-base.ts';

type AnyReply = (status: number, payload: UnvalidatedResponse) => HandlerResponse<never>;
type Next = (error?: unknown) => void;
type AnyExpressHandler = (req: Request, res: CapturedResponse, next: Next) => unknown;

/**
 * Makes a handler of an Express handler, typed by its operation: `express((req, res, next) => res.json(...))`.
 *
 * `req.params`, `req.query` and `req.body` are the validated input. What the handler sends is kept until it is complete, and then validated
 * as a `reply` is: an undeclared status, header, media type or property is never sent. A throw, a rejected promise and `next(error)` end
 * the request with an error, as the throw of any handler does.
 */
export function express<T extends ContractTypes, Op extends OperationId<T>, Caller, Db>(
  handler: ExpressHandler<T, Op, Caller, Db>,
): Handler<T, Op, Caller, Db> {
  const callHandler = handler as unknown as AnyExpressHandler;
  return ((_input: unknown, reply: AnyReply, context: object) => {
    const exchange = exchangeOf(context);
    const { request } = exchange;
    const call = new ExpressCall(exchange, reply);
    const response = new CapturedResponse(conditionalRequest(request, call.operation), exchange.response.locals, call);
    const next = call.bindNext();
    setInput(request, exchange, { context, next, res: response });
    return call.run(callHandler, response, next);
  }) as never;
}

/** Express defines `query` as a getter. */
function setInput(request: Request, { input, incoming }: Exchange, properties: object): void {
  Object.defineProperty(request, 'query', { value: input?.query, writable: true, enumerable: true, configurable: true });
  // The path that it is mounted at: none in a server without Express.
  const baseUrl = (request as Partial<Request>).baseUrl ?? '';
  Object.assign(
    request,
    { baseUrl, params: input?.path, body: input?.body, input, ...(incoming?.files && { files: incoming.files }) },
    properties,
  );
}

/** One call of an Express handler: what ends first, its response or an error, is the answer. */
class ExpressCall {
  readonly operation;
  readonly #exchange: Exchange;
  readonly #reply: AnyReply;
  /** Those of the application, which gets the request again if it answers errors. */
  readonly #before: Pick<Request, 'res' | 'next'>;
  #isEnded = false;
  #response: HandlerResponse<never> | undefined = undefined;
  #given: unknown = undefined;
  #error: { readonly error: unknown } | undefined = undefined;
  #resolve: ((response: HandlerResponse<never>) => void) | undefined = undefined;
  #reject: ((error: unknown) => void) | undefined = undefined;

  constructor(exchange: Exchange, reply: AnyReply) {
    this.operation = operationOf(exchange);
    this.#exchange = exchange;
    this.#reply = reply;
    this.#before = { res: exchange.response, next: exchange.request.next };
  }

  /** @returns its response at once if it has answered at once. */
  run(handler: AnyExpressHandler, response: CapturedResponse, next: Next): HandlerResponse<never> | Promise<HandlerResponse<never>> {
    let work: Promise<unknown> | undefined;
    try {
      const returned = handler(this.#exchange.request, response, next);
      if (isThenable(returned)) {
        work = Promise.resolve(returned);
        work.then(undefined, (error: unknown) => this.fail(error));
      }
    } catch (error) {
      this.fail(error);
    }
    if (this.#error !== undefined) throw this.#error.error;
    if (this.#response !== undefined) return this.#response;
    forwardEvents(this.#exchange.response, response);
    this.#giveUpLater(work);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Not a property that is a function: giving it a name would be a good part of what a call costs. */
  bindNext(): Next {
    return (error) => {
      const isError = Boolean(error) && error !== 'route' && error !== 'router';
      const message = `the handler of ${this.operation.id} has called next(), but nothing follows it: answer, or next(error)`;
      this.fail(isError ? error : new Error(message));
    };
  }

  end(captured: CapturedResponse): void {
    if (this.#isEnded) return this.#log(`the handler of ${this.operation.id} answered after it had failed: the response is not sent`);
    try {
      const response = toReply(captured, this.#exchange);
      this.#response = this.#reply(response.status, response);
    } catch (error) {
      return this.fail(error);
    }
    this.#isEnded = true;
    if (this.#resolve !== undefined) this.#resolve(this.#response);
    else if (captured.listenerCount('finish') + captured.listenerCount('close') > 0) forwardEvents(this.#exchange.response, captured);
  }

  fail(error: unknown): void {
    if (this.#isEnded) {
      if (error !== this.#given) this.#log(`the handler of ${this.operation.id} failed after it had ended the request`, error);
      return;
    }
    this.#isEnded = true;
    Object.assign(this.#exchange.request, this.#before);
    this.#given = error;
    this.#error = { error: toAppError(error) };
    this.#reject?.(this.#error.error);
  }

  answeredTwice(): void {
    this.#log(`the handler of ${this.operation.id} answered twice: the second response is not sent`);
  }

  #log(message: string, err?: unknown): void {
    this.#exchange.log.error({ operation: this.operation.id, ...(err !== undefined && { err }) }, message);
  }

  /**
   * What waits for a handler that never answers, such as a transaction, ends with the deadline of the request, or with the promise that
   * the handler has returned: until then it works. The work of one that has returned none cannot be seen.
   */
  #giveUpLater(work: Promise<unknown> | undefined): void {
    this.#exchange.response.once('close', () => {
      if (this.#isEnded) return;
      const error = new Error(`the handler of ${this.operation.id} has not answered: call res.json, res.send, res.end or next(error)`);
      const giveUp = () => !this.#isEnded && this.fail(error);
      const giveUpAfterWork = () => void (work === undefined ? giveUp() : work.then(giveUp, giveUp));
      setTimeout(giveUpAfterWork, Math.max(0, this.#exchange.deadline - performance.now())).unref();
    });
  }
}

/** To who waits for the response to be sent, as `stream.pipeline` does. */
function forwardEvents(sent: ServerResponse, captured: CapturedResponse): void {
  sent.once('finish', () => captured.emit('finish'));
  sent.once('close', () => captured.emit('close'));
}

/** What Express answers by itself, and the request headers that make it do so (RFC 9110, sections 13.1 and 14.2). */
const CONDITIONS: readonly (readonly [status: number, headers: readonly string[]])[] = [
  [304, ['if-none-match', 'if-modified-since']],
  [412, ['if-match', 'if-unmodified-since']],
  [206, ['range', 'if-range']],
];

/** Range is for GET alone (RFC 9110, section 14.2). */
const isAnswered = ({ method }: Request, operation: ContractOperation, status: number): boolean =>
  declaredResponse(operation, status) !== undefined && (status !== 206 || method === 'GET');

/**
 * Of a HEAD request Express leaves out the body, which has to be validated and measured: here it is the GET that the handler is for.
 * What Express would answer with a status that is not declared, it does not see.
 *
 * @returns the request itself, if there is nothing to change.
 */
function conditionalRequest(request: Request, operation: ContractOperation): Request {
  const hidden = CONDITIONS.flatMap(([status, names]) =>
    names.some((name) => request.headers[name] !== undefined) && !isAnswered(request, operation, status) ? names : [],
  );
  if (hidden.length === 0 && request.method !== 'HEAD') return request;
  const headers = { ...request.headers };
  for (const name of hidden) delete headers[name];
  return Object.create(request, {
    method: { value: request.method === 'HEAD' ? 'GET' : request.method },
    headers: { value: headers },
  }) as Request;
}

// Makes a reply of what an Express handler has written, to be validated as that of any handler.

/** The pipeline's to write, and of Express what no contract declares. */
const NOT_SENT = new Set(['content-type', 'content-length', 'transfer-encoding', 'date', 'x-powered-by']);

/**
 * @throws Error if what is to be JSON is not.
 */
function toReply(response: CapturedResponse, exchange: Pick<Exchange, 'base'>): UnvalidatedResponse {
  const { types } = response.declared;
  const contentType = response.getHeader('Content-Type');
  const headers = headersOf(response, exchange);
  if (response.value !== undefined) {
    const type = contentType === undefined ? response.declared.jsonType : typeOf(types, String(contentType));
    return { status: response.statusCode, headers, body: response.value.value, type };
  }
  const type = contentType === undefined ? types[0] : typeOf(types, String(contentType));
  return { status: response.statusCode, headers, ...bodyOf(response, type) };
}

/** The declared type; one that is not declared without the parameters that Express adds, to be reported. */
const typeOf = (types: readonly string[], contentType: string): string =>
  declaredType(types, contentType) ?? (contentType.split(';', 1)[0] ?? '').trim();

function bodyOf({ parts, declared }: CapturedResponse, type: string | undefined): Pick<UnvalidatedResponse, 'body' | 'type'> {
  const [first] = parts;
  const body = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  if (body.length === 0 && (type === undefined || declared.types.length === 0 || bodyKind(type) === 'json'))
    return { body: undefined, type: undefined };
  return { body: type !== undefined && bodyKind(type) === 'json' ? parse(body.toString()) : body, type };
}

function parse(text: string): unknown {
  const { value, altered } = restoreIntegers(text, JSON.parse(text), () => false);
  if (altered !== undefined) throw new Error(`the text of the response has a number that JavaScript alters: send the value with res.json`);
  return value;
}

function headersOf(response: CapturedResponse, { base }: Pick<Exchange, 'base'>): UnvalidatedResponse['headers'] {
  const { declared, isNotModified } = response;
  const headers: Record<string, string | readonly string[]> = {};
  for (const raw of response.getRawHeaderNames()) {
    const name = raw.toLowerCase();
    // What belongs to the 200 need not be declared for the 304 that Express has made of it (RFC 9110, section 15.4.5).
    if (NOT_SENT.has(name) || (isNotModified && !declared.headers.has(name))) continue;
    const value = response.getHeader(raw) as string | number | string[];
    // Only cookies cannot be one field (RFC 9110, section 5.3).
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    headers[declared.headers.get(name) ?? raw] =
      name === 'set-cookie' && Array.isArray(value) ? value : base === '' ? text : withoutBaseBefore(name, text, base);
  }
  return headers;
}
