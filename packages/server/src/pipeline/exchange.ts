/** The state of one request: what each step of the pipeline has found out, for the steps after it. */
import type { Request, Response } from 'express';
import {
  type UnvalidatedResponse,
  type UploadedFiles,
  type ContractOperation,
  type ValidatedResponse,
  type ValidInput,
  HeaderFields,
} from '@specwright/contract';
import type { Timed } from '@specwright/contract/runtime';
import { isHttp2, type RequestTarget, streamOf } from '../http/request-head.ts';
import { parseTraceparent, traceFields } from '../http/traceparent.ts';
import type { RateLimitDecision } from '../limits/limiter.ts';
import type { Log } from '../log/logger.ts';
import type { Challenges, LookUpLimit } from './authentication/credentials.ts';
import type { BodyLease } from './body/body-lease.ts';
import type { UploadStream } from './body/upload-stream.ts';
import type * as Compression from './compression.ts';
import { LEGAL_MOVES, type Phase } from './phases.ts';
import { type Release, ReleaseList, type Until } from './release-list.ts';
import type { ReplySource } from './streams/reply-source.ts';

type Cached = 'addressBucket';

/** The state of a request as most of the pipeline sees it: to be read. */
export type Exchange = { readonly [Field in Exclude<keyof ExchangeState, Cached>]: ExchangeState[Field] } & Pick<ExchangeState, Cached>;

/** The same, with the fields that a step sets. */
export type Sets<Fields extends keyof ExchangeState> = Exchange & { -readonly [Field in Fields]: ExchangeState[Field] };

/** Runs a look-up of credentials, within the limit of the address. @throws AppError rate_limited */
export type BoundLookUp = <T>(exchange: Sets<'rateLimit'>, run: () => Promise<T | undefined>) => Promise<T | undefined>;

export interface ExchangeService {
  /** What precedes the paths of its contract, in this application: `/v1`, or nothing. */
  readonly base: string;
  readonly log: Log;
  readonly now: () => Date;
  /** Encodes a response as its client has it encoded; `undefined` if bodies are not compressed. */
  readonly encode: typeof Compression.encode | undefined;
  readonly bucketOf: (exchange: Exchange) => string;
  /** Limits look-ups of credentials that are not known to have been valid; `undefined` without limits. */
  readonly boundLookUp: BoundLookUp | undefined;
  /** Never throws or rejects. */
  readonly endWithError: (exchange: Exchange, error: unknown) => void | Promise<void>;
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
  /** The fields that each of its responses has, refusals too: `INITIAL_HEADERS`, and those of an operation. */
  readonly headers: HeaderFields;
}

/** Of a body that did not come in one packet with the head, or has parts. */
export interface IncomingBody {
  /** What it has of the budget of bytes. */
  lease?: BodyLease;
  files?: UploadedFiles;
  /** The body, if the handler gets it, or its files, as a stream. */
  stream?: UploadStream;
  /** What tells a body that is handed on unread from another one, for a retry. */
  digest?: string;
  /** What reading it has failed with, after the handler was called. */
  error?: Error;
}

/** What is made when it is first asked for, as most requests need none of it. */
interface MadeLater {
  now?: Date;
  log?: Log;
  traceparent?: string | undefined;
  query?: URLSearchParams;
  abort?: AbortController;
  releases?: ReleaseList;
}

/** What the admission knows of an operation. */
export interface OperationLoad {
  /** How long its requests last on a quiet server on average, in ms; 0 before the first. */
  quietMs: number;
}

/** Why a request is aborted whose client has left. */
export const CLIENT_LEFT = 'the client went away';

/** `Exchange.slotSince` of a request without a slot. */
export const NO_SLOT = -1;

/** A class, so that every exchange has the same shape, which V8 makes cheap; what a step finds is `undefined` before it. */
export class ExchangeState implements LookUpLimit, Timed {
  readonly request: Request;
  readonly response: Response;
  readonly id: string;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt: number = performance.now();
  readonly arrival: Arrival;
  /** `undefined` for a request that no operation of the contract is for. */
  readonly operation: ContractOperation | undefined;
  readonly headers: HeaderFields;
  phase: Phase = 'receiving';
  slot = -1;
  deadline = 0;
  /** Since when it has had one of the slots of the admission, on the clock of `performance.now()`, in ms; `NO_SLOT` without one. */
  slotSince = NO_SLOT;
  /** What the admission knows of its operation; `undefined` for a request that needs no slot. */
  load: OperationLoad | undefined = undefined;
  /** What the authenticator has found. */
  caller: unknown = undefined;
  /** The challenges for its credentials (`WWW-Authenticate`), should a handler refuse them. */
  challenges: Challenges | undefined = undefined;
  /** Whether it has credentials, with the right syntax. */
  hasCredentials = false;
  /** The bucket of its client's address, once it was asked for (`RateLimit.addressOf`). */
  addressBucket: string | undefined = undefined;
  rateLimit: RateLimitDecision | undefined = undefined;
  /** The media type of the body as the contract spells it, and the parsed body. */
  type: string | undefined = undefined;
  body: unknown = undefined;
  incoming: IncomingBody | undefined = undefined;
  input: ValidInput | undefined = undefined;
  /** Whether the handler was called: an error before that is a refusal. */
  isHandled = false;
  handlerResponse: UnvalidatedResponse | undefined = undefined;
  /** The response of the handler, if it was validated before it was stored for its `Idempotency-Key`. */
  validated: ValidatedResponse | undefined = undefined;
  /** What the handler has returned as bytes or items. */
  source: ReplySource | undefined = undefined;
  /** Whether it is the response to an earlier request with the same `Idempotency-Key`. */
  isReplay = false;
  /** Whether it was refused because too many were under way: such requests are logged together, not each. */
  isOverload = false;
  #later: MadeLater | undefined = undefined;

  constructor(request: Request, response: Response, arrival: Arrival, id: string) {
    this.request = request;
    this.response = response;
    this.id = id;
    this.headers = arrival.found.headers.withFirst(id);
    this.arrival = arrival;
    this.operation = arrival.found.operation;
  }

  get service(): ExchangeService {
    return this.arrival.service;
  }

  /** The path below `base`. */
  get path(): string {
    return this.arrival.path;
  }

  get base(): string {
    return this.arrival.base;
  }

  get pathParameters(): Record<string, string> {
    return this.arrival.found.pathParameters;
  }

  /** Whether it was answered because its deadline has passed: no further step runs. */
  get isExpired(): boolean {
    return this.phase === 'expired';
  }

  /** @returns whether the move is legal; one that is not changes nothing. */
  move(to: Phase): boolean {
    if (!LEGAL_MOVES[this.phase].includes(to)) return false;
    this.phase = to;
    if (to === 'handling') this.isHandled = true;
    return true;
  }

  /** Credentials that were valid before, as those of a stream, charge no address for being looked up again. */
  lookUp<T>(run: () => Promise<T | undefined>): Promise<T | undefined> {
    const { boundLookUp } = this.arrival.service;
    return boundLookUp === undefined || this.caller !== undefined ? run() : boundLookUp(this, run);
  }

  get #made(): MadeLater {
    return (this.#later ??= {});
  }

  /** The time of the request, read when it is first asked for, and then the same for all of its steps. */
  get now(): Date {
    return (this.#made.now ??= this.arrival.service.now());
  }

  /** The query, parsed when it is first asked for. */
  get query(): URLSearchParams {
    return (this.#made.query ??= new URLSearchParams(this.arrival.search));
  }

  /** A logger whose lines carry the request's id; made when something is logged. */
  get log(): Log {
    return (this.#made.log ??= this.arrival.service.log.child({ requestId: this.id, ...traceFields(this.traceparent) }));
  }

  /** The span of this request, as `traceparent` has it: the server's own if it is traced, else the one that the client sent. */
  get traceparent(): string | undefined {
    const sent = this.request.headers['traceparent'];
    return this.#later?.traceparent ?? (sent === undefined ? undefined : parseTraceparent(sent));
  }

  set traceparent(own: string | undefined) {
    this.#made.traceparent = own;
  }

  /** Whether nothing more can be sent: the response was sent whole, or its client is gone. */
  get isClosed(): boolean {
    const { request, response } = this;
    return isHttp2(request) ? streamOf(request).destroyed : response.destroyed;
  }

  /** Whether the response was sent whole. Of HTTP/2 Node says so of one that its client has cancelled, too. */
  get isAnswered(): boolean {
    const { request, response } = this;
    if (request.httpVersionMajor === 1 || !isHttp2(request)) return response.writableFinished;
    return response.writableEnded && !streamOf(request).aborted;
  }

  /** Aborted when the response is no longer wanted; made when it is first asked for, as most handlers need none. */
  get signal(): AbortSignal {
    const made = this.#made;
    if (made.abort !== undefined) return made.abort.signal;
    const abort = (made.abort = new AbortController());
    this.response.once('close', () => {
      if (!this.isAnswered) abort.abort(new Error(CLIENT_LEFT));
    });
    if (this.isExpired || this.isClosed) abort.abort(new Error('the client no longer waits for the response'));
    return abort.signal;
  }

  /** Has `release` called once: when `until` is over, whichever way the request ends; at once, if it is over. */
  onRelease(until: Until, release: Release): void {
    (this.#made.releases ??= this.#createReleases()).add(until, release);
  }

  release(...over: readonly Until[]): void {
    const releases = this.#later?.releases;
    if (releases !== undefined) for (const until of over) releases.release(until);
  }

  #createReleases(): ReleaseList {
    const { response } = this;
    const releases = new ReleaseList((err) =>
      this.log.error({ operation: this.operation?.id, err }, 'what a request held was not released'),
    );
    if (this.phase === 'ended') releases.release('work');
    const isOver = this.phase === 'ended' && this.source?.isStreaming !== true;
    if (isOver || this.isExpired || this.isClosed) releases.release('response');
    else response.once('close', () => releases.release('response'));
    return releases;
  }

  /** The deadline of the request has passed: it is answered at once. @returns `false` if its answer was begun before. */
  expire(): boolean {
    if (!this.move('expired')) return false;
    this.#later?.abort?.abort(new Error('the deadline of the request has passed'));
    return true;
  }
}

/** What is known of a body that does not come whole with the head; made when there is something. */
export const incomingOf = (exchange: Sets<'incoming'>): IncomingBody => (exchange.incoming ??= {});

export function operationOf({ operation }: Exchange): ContractOperation {
  if (operation === undefined) throw new Error('this step must come after match');
  return operation;
}

/** Of every response, whose request gives the first one its id. `nosniff`: a browser takes a body for what Content-Type says. */
export const INITIAL_HEADERS = new HeaderFields(['X-Request-Id', '', 'X-Content-Type-Options', 'nosniff']);
