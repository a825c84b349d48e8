/** The response that an Express handler gets: Express's own, which keeps what is written instead of sending it. */
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type ContractOperation, bodyKind, remember } from '@specwright/contract';
import { copyPrototypeProperties, createExpressApp } from '../pipeline/express-app.ts';

interface Receiver {
  readonly operation: ContractOperation;
  end(response: CapturedResponse): void;
  fail(error: unknown): void;
  /** The handler has answered before. */
  answeredTwice(): void;
}

type Callback = (error?: Error | null) => void;
interface ExpressMethods {
  locals: object;
  json(value: unknown): this;
  send(body?: unknown): this;
  status(status: number): this;
  location(url: string): this;
}
type BaseResponse = new (request: IncomingMessage) => ServerResponse & ExpressMethods;

type ExpressSenders = Record<'sendFile' | 'sendStatus' | 'redirect', (...args: unknown[]) => unknown>;

/** Has Express's methods once the first response is made: a service without Express handlers makes none. */
class ExpressResponse extends ServerResponse {}

let senders: ExpressSenders | undefined;

/** Makes an application, whose settings are for these responses alone. @returns methods of its responses that are overridden here. */
const express = (): ExpressSenders => (senders ??= adoptExpress());

function adoptExpress(): ExpressSenders {
  const { app } = createExpressApp();
  // Else Express adds a header that the contract may not declare.
  app.set('etag', false);
  copyPrototypeProperties(ExpressResponse.prototype, app.response as unknown as ServerResponse);
  // What is written is taken at once. From Node 24 on it is a field that only a socket's end sets.
  Object.defineProperty(CapturedResponse.prototype, 'writableFinished', {
    get(this: ServerResponse) {
      return this.writableEnded;
    },
  });
  return app.response as unknown as ExpressSenders;
}

export class CapturedResponse extends (ExpressResponse as unknown as BaseResponse) {
  readonly #receiver: Receiver;
  #chosenStatus: number | undefined = undefined;
  /** Node's, which has no types. */
  declare readonly getRawHeaderNames: () => string[];
  /** As it was given to `json`. */
  value: { readonly value: unknown } | undefined = undefined;
  /** Of a text. */
  readonly parts: (string | Buffer)[] = [];

  constructor(request: IncomingMessage, locals: object | undefined, receiver: Receiver) {
    express();
    super(request);
    this.sendDate = false;
    this.locals = locals ?? (Object.create(null) as object);
    this.#receiver = receiver;
  }

  get declared(): DeclaredResponse {
    return declaredResponse(this.#receiver.operation, this.statusCode) ?? UNDECLARED;
  }

  /** Whether Express has made a 304 of it, because the client has this response already. */
  get isNotModified(): boolean {
    return this.statusCode === 304 && this.#chosenStatus !== undefined && this.#chosenStatus !== 304;
  }

  /** Keeps the value: what is validated is what the handler gave, a `bigint` too. */
  override json(value: unknown): this {
    if (this.#isSecond()) return this;
    this.#chosenStatus ??= this.statusCode;
    if ((this.req as Request).fresh) this.status(304);
    else this.value = { value };
    return this.end();
  }

  override send(body?: unknown): this {
    if (this.#isSecond()) return this;
    this.#chosenStatus ??= this.statusCode;
    if (typeof body === 'string' || ArrayBuffer.isView(body)) this.#implyType();
    super.send(body);
    return this;
  }

  /** Only headers that are declared are added: Express's would be `Accept-Ranges`, `Cache-Control` and `Last-Modified`. */
  sendFile(path: string, options?: object | Callback, callback?: Callback): void {
    this.#chosenStatus ??= this.statusCode;
    this.#implyType();
    // A copy would lose what `download` inherits.
    const own = Object.create(typeof options === 'object' ? options : null) as Record<string, unknown>;
    for (const [option, header] of FILE_HEADERS) own[option] ??= this.declared.headers.has(header);
    express().sendFile.call(this, path, own, typeof options === 'function' ? options : callback);
  }

  /** Without a body, unless one is declared. */
  sendStatus(status: number): this {
    this.status(status);
    if (this.declared.types.length > 0) express().sendStatus.call(this, status);
    else this.end();
    return this;
  }

  redirect(...args: [url: string] | [status: number, url: string]): void {
    const [status, url] = args.length === 2 ? args : [302, args[0]];
    this.status(status);
    if (this.declared.types.length > 0) return void express().redirect.call(this, status, url);
    this.location(url);
    this.end();
  }

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    if (this.#isSecond()) return false;
    if (!this.headersSent) this.flushHeaders();
    this.parts.push(toPart(chunk, typeof encoding === 'string' ? encoding : 'utf8'));
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done !== undefined) process.nextTick(done);
    return true;
  }

  override end(...args: unknown[]): this {
    if (this.#isSecond()) return this;
    const done = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
    const [chunk, encoding] = args;
    if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) this.write(chunk as Buffer, encoding as BufferEncoding);
    if (!this.headersSent) this.flushHeaders();
    if (done !== undefined) this.once('finish', done);
    // What `writableEnded` reads.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    this.finished = true;
    this.#receiver.end(this);
    return this;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const fields = rest.at(-1) as OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;
    if (typeof fields === 'object') for (const [name, value] of fieldsOf(fields)) this.setHeader(name, value);
    return super.writeHead(status);
  }

  override flushHeaders(): void {
    this.writeHead(this.statusCode);
  }

  override destroy(error?: Error): this {
    if (!this.writableEnded) this.#receiver.fail(error ?? new Error('the handler has destroyed the response'));
    return this;
  }

  #isSecond(): boolean {
    if (this.writableEnded) this.#receiver.answeredTwice();
    return this.writableEnded;
  }

  /** Express takes each text for HTML, and each file for what its name says. */
  #implyType(): void {
    const { textType } = this.declared;
    if (textType !== undefined && !this.hasHeader('Content-Type')) this.setHeader('Content-Type', textType);
  }
}

type Request = IncomingMessage & { readonly fresh: boolean };

const FILE_HEADERS = [
  ['acceptRanges', 'accept-ranges'],
  ['cacheControl', 'cache-control'],
  ['lastModified', 'last-modified'],
] as const;

/** Text in UTF-8 stays text. */
const toPart = (chunk: string | Uint8Array, encoding: BufferEncoding): string | Buffer =>
  typeof chunk !== 'string' ? Buffer.from(chunk) : /^utf-?8$/i.test(encoding) ? chunk : Buffer.from(chunk, encoding);

function* fieldsOf(fields: OutgoingHttpHeaders | OutgoingHttpHeader[]): Generator<[string, OutgoingHttpHeader]> {
  if (!Array.isArray(fields)) {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) yield [name, value];
  } else if (Array.isArray(fields[0])) yield* fields as unknown as [string, OutgoingHttpHeader][];
  else for (let i = 0; i + 1 < fields.length; i += 2) yield [String(fields[i]), fields[i + 1] as OutgoingHttpHeader];
}

interface DeclaredResponse {
  readonly types: readonly string[];
  /** The media type of JSON, and that of a text or of bytes if there is only one: what is meant where a handler names none. */
  readonly jsonType: string | undefined;
  readonly textType: string | undefined;
  /** Names in lower case -> as declared. */
  readonly headers: ReadonlyMap<string, string>;
}

const UNDECLARED: DeclaredResponse = { types: [], jsonType: undefined, textType: undefined, headers: new Map() };

type Declared = (status: number) => DeclaredResponse | undefined;

const declaredBy = remember(
  (operation: ContractOperation): Declared => remember((status) => read(operation, status)),
  new WeakMap<ContractOperation, Declared>(),
);

/** What an operation declares for a status: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
export const declaredResponse = (operation: ContractOperation, status: number): DeclaredResponse | undefined =>
  declaredBy(operation)(status);

function read({ responses }: ContractOperation, status: number): DeclaredResponse | undefined {
  const entry = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
  if (entry === undefined) return undefined;
  const texts = entry.types.filter((type) => bodyKind(type) !== 'json');
  return {
    types: entry.types,
    jsonType: entry.types.find((type) => bodyKind(type) === 'json'),
    textType: texts.length === 1 && !texts[0]?.includes('*') ? texts[0] : undefined,
    headers: new Map(Object.keys(entry.headers).map((name) => [name.toLowerCase(), name])),
  };
}
