/** Pipeline step: calls the handler once for each `Idempotency-Key` of a caller, and answers retries with what it returned. */
import { hash } from 'node:crypto';
import type { ContractOperation, UnvalidatedResponse, ValidatedResponse, ValidInput } from '@specwright/contract';
import { cannotReadAgain, isBegun, rewindFiles } from './body/read-once.ts';
import type { Exchange, Sets } from './exchange.ts';
import type { Step } from './step.ts';
import { validateResponse, type ResponseValidation } from './send-response.ts';

export interface IdempotentRequest<Caller = unknown> {
  /** Whose key it is; `undefined` for a request without credentials. */
  readonly caller: Caller | undefined;
  /** The bucket of the client's address: whose key it is if there is no caller. */
  readonly address: string;
  readonly key: string;
  /** The same for all requests that ask for the same: SHA-256 of operation, path, query and body. */
  readonly fingerprint: Buffer;
}

/**
 * What a store runs for a request: its handler, with `context.db` a transaction.
 *
 * `RepeatableWork` may be run again, as after a deadlock. The input of `SingleWork` has a stream: once `isBegun` it is not run again, and
 * the request is answered with 503. `Repeatable` tells the two apart where something is run again.
 */
export type IdempotentWork<Db = unknown> = RepeatableWork<Db> | SingleWork<Db>;

type Run<Db> = (db: Db) => Promise<UnvalidatedResponse>;

export type RepeatableWork<Db = unknown> = Run<Db> & { readonly isBegun?: undefined };

export type SingleWork<Db = unknown> = Run<Db> & {
  /** Whether the handler has begun to read the stream. */
  readonly isBegun: () => boolean;
};

/** Keeps what requests with an `Idempotency-Key` were answered with. `Db` is what handlers get as `context.db`. */
export interface IdempotencyStore<Db = unknown, Caller = unknown> {
  /**
   * Runs `work` with a transaction that its handler writes in, and stores in it what `work` returns; or returns what is stored, if
   * the key was used before. What `work` throws is thrown, after the transaction was rolled back: a retry is a new request. It may be run
   * again after a rollback, but not once it `isBegun`.
   *
   * @throws AppError idempotency_key_reused if the key was used for another request; idempotency_key_in_use if a request with
   *   it does not end in time.
   */
  readonly run: (
    request: IdempotentRequest<Caller>,
    work: IdempotentWork<Db>,
  ) => Promise<{ readonly response: UnvalidatedResponse; readonly isReplay: boolean }>;
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  readonly addressOf: (exchange: Exchange) => string;
  readonly responseValidation: ResponseValidation;
}

type HandlerFields = 'handlerResponse' | 'isHandled' | 'isReplay' | 'source' | 'validated';

/** The handler's own refusal: it is answered, but neither stored nor is what the handler has written. */
class Refusal extends Error {
  readonly response: UnvalidatedResponse;

  constructor(response: UnvalidatedResponse) {
    super(`refused with ${response.status}`);
    this.response = response;
  }
}

/**
 * Replaces the step that calls the handler, for an operation whose contract declares the header `Idempotency-Key`.
 *
 * What is stored has been validated before, so that no retry gets what breaks the contract. Errors, and responses from status
 * 400 on, are not stored and undo what the handler has written: a retry is judged anew.
 *
 * @param callWith makes the step that calls the handler with a database: `db`, or a transaction of the store.
 * @throws AppError as the store does.
 */
export function idempotency(
  operation: ContractOperation,
  callWith: (db: unknown) => Step<'handlerResponse' | 'isHandled' | 'source'>,
  db: unknown,
  { store, addressOf, responseValidation }: IdempotencyOptions,
): Step<HandlerFields> {
  const call = callWith(db);

  async function callOnce(exchange: Sets<HandlerFields>, key: string): Promise<void> {
    const { caller } = exchange;
    const fingerprint = fingerprintOf(operation.id, exchange);
    let stored: UnvalidatedResponse | undefined;
    let validated: ValidatedResponse | undefined;
    const work = workOf(exchange, async (trx: unknown) => {
      await callWith(trx)(exchange);
      const given = exchange.handlerResponse as UnvalidatedResponse;
      if (given.streamed !== undefined)
        throw new Error(`${operation.id} answers with a stream, which cannot be stored for its Idempotency-Key`);
      if (given.status >= 400) throw new Refusal(given);
      validated = validateResponse(exchange, given, responseValidation);
      return (stored = { status: given.status, headers: given.headers, type: given.type, body: validated.body });
    });
    const request: IdempotentRequest = {
      caller,
      // Few stores ask for it where there is a caller.
      get address() {
        return addressOf(exchange);
      },
      key,
      fingerprint,
    };
    try {
      const { response, isReplay } = await store.run(request, work);
      exchange.handlerResponse = response;
      exchange.isReplay = isReplay;
      if (isReplay) exchange.headers.set('Idempotent-Replayed', 'true');
      else if (response === stored) exchange.validated = validated;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      exchange.handlerResponse = error.response;
    }
  }

  return (exchange) => {
    const key = exchange.request.headers['idempotency-key'];
    // A header that is given twice is one value (RFC 9110, section 5.3).
    return key === undefined ? call(exchange) : callOnce(exchange, String(key));
  };
}

/** @returns what a store may run again, as long as nothing was read that can be read once: also of a store that does not ask. */
function workOf<Db>({ input = {} as ValidInput }: Exchange, run: Run<Db>): IdempotentWork<Db> {
  const { body, files } = input;
  if (!isStreamed(body) && files === undefined) return run;
  if (!isStreamed(body) && !isStreamed(files)) {
    return (db) => {
      if (files !== undefined) rewindFiles(files);
      return run(db);
    };
  }
  const work = async (db: Db) => {
    if (isBegun(input)) throw cannotReadAgain();
    return run(db);
  };
  return Object.assign(work, { isBegun: () => isBegun(input) });
}

/** Whether it is a stream, or the items or files of one. */
const isStreamed = (value: unknown): boolean => typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/**
 * Parameters in headers are left out: they tell about the transport of a request, as a trace does, and differ in a retry. A retry may reach
 * another version of the server: what is hashed must stay the same text.
 */
function fingerprintOf(operation: string, { input, incoming }: Exchange): Buffer {
  const { path, query, body: given, files: all } = input ?? {};
  const files = Array.isArray(all) ? all : undefined;
  const body = incoming?.digest ?? given;
  return hash('sha256', JSON.stringify(sortProperties({ body, files, operation, path, query })), 'buffer');
}

/** For `JSON.stringify`: properties in one order, because theirs means nothing (RFC 8259, section 4). */
function sortProperties(given: unknown): unknown {
  const { toJSON } = (given ?? {}) as { readonly toJSON?: unknown };
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given) : given;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortProperties);
  const sorted: [name: string, value: unknown][] = [];
  for (const name of Object.keys(value).sort()) {
    const property = (value as Record<string, unknown>)[name];
    sorted.push([name, typeof property === 'object' || typeof property === 'bigint' ? sortProperties(property) : property]);
  }
  return Object.fromEntries(sorted);
}
