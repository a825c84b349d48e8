/** The state of one request: what each step of the pipeline has found out, for the steps after it. */
import type { Http2ServerRequest } from 'node:http2';
import type { Request, Response } from 'express';
import {
  type UnvalidatedResponse,
  type UploadedFiles,
  type ContractOperation,
  type ValidInput,
  HeaderFields,
  isThenable,
} from '@specwright/contract';
import type { AppError, Timed } from '@specwright/contract/runtime';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { isHttp2, type RequestTarget } from '../http/request-target.ts';
import { parseTraceparent, traceFields } from '../http/traceparent.ts';
import type { RateLimitDecision } from '../limits/decision.ts';
import type { Log } from '../log/logger.ts';
import type { LookUpLimit } from './authentication/authenticators.ts';
import type { Challenges } from './authentication/credentials.ts';
import type { BodyLease } from './body/body-lease.ts';
import type { UploadStream } from './body/upload-stream.ts';
import type { Ticket } from './admission/ticket.ts';
import { type Release, ReleaseList, type Until } from './release-list.ts';
import { createRequestId } from './request-id.ts';
import type { ReplySource } from './streams/reply-source.ts';

type Cached = 'addressBucket';

/** The state of a request as most of the pipeline sees it: to be read. */
export type Exchange = { readonly [Field in Exclude<keyof ExchangeState, Cached>]: ExchangeState[Field] } & Pick<ExchangeState, Cached>;

/** The same, with the fields that a step sets. */
export type Sets<Fields extends keyof ExchangeState> = Exchange & { -readonly [Field in Fields]: ExchangeState[Field] };

/**
 * A step of the pipeline: it sets `Fields` of the exchange, or ends the request by throwing an AppError. The next one waits for a
 * promise; a step that need not wait returns nothing, and costs no turn of the event loop.
 */
export type Step<Fields extends keyof ExchangeState = never> = (exchange: Sets<Fields>) => void | Promise<void>;

export type AnyStep = (exchange: ExchangeState) => void | Promise<void>;

/** Runs a look-up of credentials, within the limit of the address. @throws AppError rate_limited */
export type BoundLookUp = <T>(exchange: Sets<'rateLimit'>, run: () => Promise<T | undefined>) => Promise<T | undefined>;

/** An id of the caller's is kept if it can be in a header and a log line without harm. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;

export interface ExchangeService {
  /** What precedes the paths of its contract, in this application: `/v1`, or nothing. */
  readonly base: string;
  readonly bucketOf: (exchange: Exchange) => string;
  /** Watches the callers of its streams and uploads: see `CallerWatch`. */
  readonly callers: { readonly watch: (exchange: Exchange, end: (error: AppError) => void) => () => void };
  /** Never rejects. */
  readonly endWithError: (exchange: Exchange, error: unknown) => Promise<void>;
}

export interface Arrival extends RequestTarget {
  readonly service: ExchangeService;
  /** What precedes `path` in the URL: the path that the handler is mounted at, and the base of the service. */
  readonly base: string;
  readonly found: Found;
  /** The handler after this one, in another application. */
  readonly next?: NextHandler | undefined;
}

export type NextHandler = (error?: unknown) => void;

export interface Found {
  /** `undefined` for what is no operation of the contract. */
  readonly operation: ContractOperation | undefined;
  readonly pathParameters: Record<string, string>;
  /** As they were sent, if the path has percent-encoding. */
  readonly encodedPath?: Record<string, string> | undefined;
}

/** Why a request is aborted whose client has left. */
export const CLIENT_LEFT = 'the client went away';

/** A class, so that every exchange has the same shape, which V8 makes cheap; what a step finds is `undefined` before it. */
export class ExchangeState implements LookUpLimit, Timed {
  readonly request: Request;
  readonly response: Response;
  readonly id: string;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt: number = performance.now();
  readonly service: ExchangeService;
  readonly base: string;
  readonly path: string;
  readonly search: string;
  readonly next: NextHandler | undefined;
  /** `undefined` for a request that no operation of the contract is for. */
  readonly operation: ContractOperation | undefined;
  readonly pathParameters: Record<string, string>;
  readonly encodedPath: Record<string, string> | undefined;
  readonly headers: HeaderFields;
  slot = -1;
  deadline = 0;
  /** What the authenticator has found. */
  caller: unknown = undefined;
  /** The challenges for its credentials (`WWW-Authenticate`), should a handler refuse them. */
  challenges: Challenges | undefined = undefined;
  /** Whether it has credentials, with the right syntax. */
  hasCredentials = false;
  boundLookUp: BoundLookUp | undefined = undefined;
  /** The security scheme that is not implemented, whose credentials cannot be verified: no handler is called. */
  unimplementedScheme: string | undefined = undefined;
  /** The bucket of its client's address, once it was asked for (`RateLimit.addressOf`). */
  addressBucket: string | undefined = undefined;
  /** Of an operation: what admission knows of it. */
  ticket: Ticket<Exchange> | undefined = undefined;
  rateLimit: RateLimitDecision | undefined = undefined;
  /** The media type of the body as the contract spells it, and the parsed body. */
  type: string | undefined = undefined;
  body: unknown = undefined;
  files: UploadedFiles | undefined = undefined;
  /** The body, if the handler gets it, or its files, as a stream. */
  upload: UploadStream | undefined = undefined;
  bodyError: Error | undefined = undefined;
  /** What its body has of the budget of bytes. */
  bodyLease: BodyLease | undefined = undefined;
  input: ValidInput | undefined = undefined;
  /** How the body of the response may be encoded: `undefined` if bodies are not. */
  coding: ContentCoding | 'identity' | undefined = undefined;
  /** Whether the handler was called: an error before that is a refusal. */
  isHandled = false;
  handlerResponse: UnvalidatedResponse | undefined = undefined;
  /** What the handler has returned as bytes or items. */
  source: ReplySource | undefined = undefined;
  /** Whether its response goes on after the steps: what it is made of is released when it is closed. */
  isStreaming = false;
  /** Whether it was refused because too many were under way: such requests are logged together, not each. */
  isOverload = false;
  /** Whether it is the response to an earlier request with the same `Idempotency-Key`. */
  isReplay = false;
  #phase: Phase = 'receiving';
  #isExpired = false;
  readonly #log: Log;
  readonly #clock: () => Date;
  #now: Date | undefined = undefined;
  #childLog: Log | undefined = undefined;
  #traceparent: string | undefined = undefined;
  #query: URLSearchParams | undefined = undefined;
  #abort: AbortController | undefined = undefined;
  #releases: ReleaseList | undefined = undefined;

  constructor(request: Request, response: Response, arrival: Arrival, log: Log, clock: () => Date) {
    this.request = request;
    this.response = response;
    this.#clock = clock;
    this.#log = log;
    const given = request.headers['x-request-id'];
    this.id = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : createRequestId();
    this.headers = initialHeaders(this.id);
    this.service = arrival.service;
    this.base = arrival.base;
    this.path = arrival.path;
    this.search = arrival.search;
    this.next = arrival.next;
    this.operation = arrival.found.operation;
    this.pathParameters = arrival.found.pathParameters;
    this.encodedPath = arrival.found.encodedPath;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Whether it was answered because its deadline has passed: no further step runs. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** @returns whether the move is legal; one that is not changes nothing. */
  move(to: Phase): boolean {
    if (!LEGAL_MOVES[this.#phase].includes(to)) return false;
    this.#phase = to;
    if (to === 'handling') this.isHandled = true;
    return true;
  }

  lookUp<T>(run: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.boundLookUp === undefined ? run() : this.boundLookUp(this, run);
  }

  /** The time of the request, read when it is first asked for, and then the same for all of its steps. */
  get now(): Date {
    return (this.#now ??= this.#clock());
  }

  /** The query, parsed when it is first asked for. */
  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.search));
  }

  /** A logger whose lines carry the request's id; made when something is logged. */
  get log(): Log {
    return (this.#childLog ??= this.#log.child({ requestId: this.id, ...traceFields(this.traceparent) }));
  }

  /** The span of this request, as `traceparent` has it: the server's own if it is traced, else the one that the client sent. */
  get traceparent(): string | undefined {
    return this.#traceparent ?? parseTraceparent(this.request.headers['traceparent']);
  }

  set traceparent(own: string | undefined) {
    this.#traceparent = own;
  }

  /** Whether nothing more can be sent: the response was sent whole, or its client is gone. */
  get isClosed(): boolean {
    const { request, response } = this;
    return isHttp2(request) ? (request as unknown as Http2ServerRequest).stream.destroyed : response.destroyed;
  }

  /** Whether the response was sent whole. Of HTTP/2 Node says so of one that its client has cancelled, too. */
  get isAnswered(): boolean {
    const { request, response } = this;
    return isHttp2(request)
      ? response.writableEnded && !(request as unknown as Http2ServerRequest).stream.aborted
      : response.writableFinished;
  }

  /** Aborted when the response is no longer wanted; made when it is first asked for, as most handlers need none. */
  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    const abort = (this.#abort = new AbortController());
    this.response.once('close', () => {
      if (!this.isAnswered) abort.abort(new Error(CLIENT_LEFT));
    });
    if (this.isExpired || this.isClosed) abort.abort(new Error('the client no longer waits for the response'));
    return abort.signal;
  }

  /** Has `release` called once: when `until` is over, whichever way the request ends; at once, if it is over. */
  onRelease(until: Until, release: Release): void {
    this.#releases ??= this.#createReleases();
    this.#releases.add(until, release);
  }

  release(until: Until): void {
    this.#releases?.release(until);
  }

  /** Made when there is something to release, as most requests have nothing. */
  #createReleases(): ReleaseList {
    const { response } = this;
    const releases = new ReleaseList((err) =>
      this.log.error({ operation: this.operation?.id, err }, 'what a request held was not released'),
    );
    const isOver = this.#phase === 'ended' && !this.isStreaming;
    if (this.#phase === 'ended') releases.release('work');
    if (isOver || this.#isExpired || this.isClosed) releases.release('response');
    else response.once('close', () => releases.release('response'));
    return releases;
  }

  /** The deadline of the request has passed: it is answered at once. @returns `false` if its answer was begun before. */
  expire(): boolean {
    if (!this.move('sending')) return false;
    this.#isExpired = true;
    this.#abort?.abort(new Error('the deadline of the request has passed'));
    return true;
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    exchange: ExchangeState;
    /** The operation of the contract that the request is for: known to middleware of the option `use`. */
    operation?: ContractOperation | undefined;
    /** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
    awaitsContinue?: boolean;
  }
}

export interface Outcome {
  readonly end: (exchange: ExchangeState) => void;
  readonly fail: (exchange: ExchangeState, error: unknown) => void;
}

/**
 * Runs steps in order, from `next` on, until one throws or the deadline of the request has passed. Only what has to wait makes a
 * promise: an `async` function would make two more of each.
 */
export function runSteps(steps: readonly AnyStep[], exchange: ExchangeState, outcome: Outcome, next = 0): void {
  try {
    for (let i = next; i < steps.length; i++) {
      const pending = (steps[i] as AnyStep)(exchange);
      if (isThenable(pending)) return runLater(pending, steps, exchange, outcome, i + 1);
    }
  } catch (error) {
    outcome.fail(exchange, error);
    return;
  }
  outcome.end(exchange);
}

function runLater(pending: Promise<void>, steps: readonly AnyStep[], exchange: ExchangeState, outcome: Outcome, next: number): void {
  pending.then(
    () => (exchange.isExpired ? outcome.end(exchange) : runSteps(steps, exchange, outcome, next)),
    (error: unknown) => outcome.fail(exchange, error),
  );
}

export function lazyStep<S extends AnyStep>(load: () => Promise<S>): S {
  let loaded: S | undefined;
  const step = (exchange: never): void | Promise<void> =>
    loaded !== undefined ? loaded(exchange) : load().then((made) => (loaded ??= made)(exchange));
  return step as S;
}

export function operationOf({ operation }: Exchange): ContractOperation {
  if (operation === undefined) throw new Error('this step must come after match');
  return operation;
}

// The lifecycle of an exchange: its phases, and the legal moves between them.

/**
 * `receiving`: the client sends, or its request is looked at; it has no slot. `admitted`: it has one. `handling`: the handler was called.
 * `sending`: its answer was begun, or decided (an error, a deadline that has passed); a handler may still work. `ended`: nothing of it
 * is under way, but for a response that is still being read by the client.
 */
export type Phase = 'receiving' | 'admitted' | 'handling' | 'sending' | 'ended';

/** A handler that waits for its client is `receiving` again, and goes on with `handling`. */
export const LEGAL_MOVES: Readonly<Record<Phase, readonly Phase[]>> = {
  receiving: ['admitted', 'handling', 'sending', 'ended', 'receiving'],
  admitted: ['handling', 'receiving', 'sending', 'ended'],
  handling: ['sending', 'ended', 'receiving'],
  sending: ['ended'],
  ended: [],
};

/** `nosniff`: a browser takes a body for what Content-Type says. @param id of the request. */
export const initialHeaders = (id: string): HeaderFields => new HeaderFields(['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff']);
