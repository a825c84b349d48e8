/** Pipeline step: every error ends here. A table gives its status, its cause is logged once, the client gets its message. */
import { type ErrorParts, type Contract, type ContractOperation, HeaderFields, isThenable } from '@specwright/contract';
import {
  codeOfStatus,
  FRAMEWORK_ERRORS,
  FrameworkError,
  isAppError,
  AppError,
  type ErrorStatuses,
  type FrameworkErrorCode,
} from '@specwright/contract/runtime';
import { OutageLog } from './outage-log.ts';
import { isOverload } from './admission/refusals.ts';
import { ClientGoneError } from './body/body-errors.ts';
import { CLIENT_LEFT, type Exchange, type ExchangeService } from './exchange.ts';
import type { Step } from './step.ts';
import type { RequestMetrics } from './context/request-metrics.ts';
import { createOverloadSender, type ErrorFormatter, type FormattedError, type OverloadOptions } from './send-overload.ts';
import { DownloadRefusal } from './streams/download-conditions.ts';
import { brokenContract, InvalidResponseError, validateResponse, send, setFields, type ResponseValidation } from './send-response.ts';

export interface ErrorOptions {
  /** Its codes and their statuses, including those of the framework. Default: `FRAMEWORK_ERRORS`. */
  readonly statuses?: ErrorStatuses;
  /** The media type of every error body. Default: what the contract declares for the response. */
  readonly type?: string;
  /** Whether errors go to the error handler of the application that this one is mounted in, with `status`, `code` and `headers`. Default: `false`. */
  readonly next?: boolean;
  /** The body of every error. Default: made from the schema that the contract declares for the response. */
  readonly body?: (error: ErrorParts) => object;
}

/** What changes how text around it is read, by terminals and by people: controls, line ends, marks of direction. A message may repeat what a client sent. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Most messages are. */
const PRINTABLE = /^[ -~]*$/;

const printable = (text: string): string => (PRINTABLE.test(text) ? text : text.toWellFormed().replace(UNPRINTABLE, '\uFFFD'));

/** The refusals of what a request has: an operation may declare another status for them (`refusalStatuses`). */
const REFUSALS: readonly string[] = [
  'invalid_request',
  'invalid_json',
  'idempotency_key_reused',
  'body_too_large',
  'unsupported_content_type',
] satisfies FrameworkErrorCode[];

/** @returns a function that makes a response of an error. A code that the table lacks is an internal error. */
export function createErrorFormatter(
  { statuses = FRAMEWORK_ERRORS, type, body }: ErrorOptions,
  contract: Pick<Contract, 'errorBody'>,
): ErrorFormatter {
  const respond = (error: ErrorParts, headers: AppError['headers'], operation: ContractOperation | undefined) => {
    if (body !== undefined) return { status: error.status, headers, type: type ?? 'application/json', body: body(error), hasMessage: true };
    const declared = (operation ?? contract).errorBody(error.status);
    return { status: error.status, headers, type: type ?? declared.type, body: declared.make(error), hasMessage: declared.hasMessage };
  };
  return ({ code: given, message: text, headers, status: wanted, problems }, operation) => {
    const message = printable(text);
    // A service may have a code for a status that the framework has none for.
    const code = wanted === undefined ? given : (codeOfStatus(statuses, wanted) ?? given);
    const own = wanted ?? (Object.hasOwn(statuses, code) ? statuses[code] : undefined);
    if (own === undefined) return respond({ code: 'internal_error', message: 'internal error', status: 500 }, {}, operation);
    const status = (REFUSALS.includes(code) && operation?.refusalStatuses.get(own)) || own;
    const listed = problems?.map((one) => ({ ...one, pointer: printable(one.pointer), message: printable(one.message) }));
    return respond({ code, message, status, problems: listed }, status === UNAVAILABLE ? withRetryAfter(headers) : headers, operation);
  };
}

/** True for 401, and for 429 after too many bad credentials from one address. */
const isOfUnknownCredentials = ({ code }: AppError, { caller, hasCredentials }: Exchange): boolean =>
  hasCredentials && caller === undefined && (code === 'unauthorized' || code === 'rate_limited');

const UNAVAILABLE = FRAMEWORK_ERRORS.service_unavailable;

/** A client that is not told when to retry does so at once, or never. */
function withRetryAfter(headers: AppError['headers']): AppError['headers'] {
  return HeaderFields.of(headers).has('Retry-After') ? headers : { ...headers, 'Retry-After': '1' };
}

export interface HandleErrorOptions extends Pick<OverloadOptions, 'format'> {
  /** Whether errors go to the application's error handler, where there is one. */
  readonly passOn?: boolean | undefined;
  readonly responseValidation: ResponseValidation;
  readonly rateLimit: OverloadOptions['rateLimit'] & { readonly count: Step };
  readonly metrics?: Pick<RequestMetrics, 'countError' | 'countUnknownCredentials'> | undefined;
}

/**
 * Ends an exchange with the error that a step has thrown. Never rejects: without an answer the connection is closed.
 *
 * An error of a handler that the operation does not declare breaks the contract as any response does: in `strict` it
 * becomes a 500, and a log line that names the operation. What the pipeline refuses, before the handler, in the place of
 * one that is not written, or at the deadline, it refuses whether the contract declares the status or not. So is a 503 that a handler
 * throws, for example because the time of a statement was over: it says that the request was not served, and when to retry.
 */
export function handleError(options: HandleErrorOptions): ExchangeService['endWithError'] {
  const responder = new ErrorResponder(options);
  const fail = (exchange: Exchange, err: unknown): void => {
    exchange.log.error({ operation: exchange.operation?.id, err }, 'the error could not be answered');
    exchange.response.destroy();
  };
  const answer = (exchange: Exchange, thrown: unknown): void | Promise<void> => {
    try {
      const pending = responder.answer(exchange, thrown);
      if (pending !== undefined) return pending.catch((err: unknown) => fail(exchange, err));
    } catch (err) {
      fail(exchange, err);
    }
  };
  // A small body has come with the head, and is parsed after it.
  return (exchange, thrown) =>
    exchange.request.complete ? answer(exchange, thrown) : Promise.resolve().then(() => answer(exchange, thrown));
}

/** An error, and what it is answered with. */
interface Formatted {
  readonly error: AppError;
  readonly answer: FormattedError;
}

class ErrorResponder {
  readonly #options: HandleErrorOptions;
  readonly #sendOverload: ReturnType<typeof createOverloadSender>;
  readonly #outages = new OutageLog();

  constructor(options: HandleErrorOptions) {
    this.#options = options;
    this.#sendOverload = createOverloadSender(options);
  }

  /** @returns a promise if the request has to be counted first, and that has to be waited for. */
  answer(exchange: Exchange, thrown: unknown): void | Promise<void> {
    // The line of the request says so, and it is counted there.
    if (isOfGoneClient(thrown, exchange)) return void exchange.response.destroy();
    if (isOverload(thrown) && this.#options.passOn !== true) return this.#sendOverload(exchange, thrown);
    const given = toAppError(thrown);
    const counted = this.#countUncounted(this.#format(withChallenge(given, exchange), exchange), exchange);
    return isThenable(counted)
      ? counted.then((later) => this.#send(exchange, thrown, given, later))
      : this.#send(exchange, thrown, given, counted);
  }

  #format(error: AppError, { operation }: Exchange): Formatted {
    return { error, answer: this.#options.format(error, operation) };
  }

  /** @param given what was thrown, as an AppError. */
  #send(exchange: Exchange, thrown: unknown, given: AppError, { error, answer }: Formatted): void {
    const { passOn = false } = this.#options;
    const { response, operation } = exchange;
    this.#report(exchange, given, error, answer);
    // What has begun to be sent cannot be taken back.
    if (response.headersSent) return response.writableEnded ? undefined : void response.destroy();
    exchange.headers.deleteContent();
    if (passOn && exchange.arrival.next !== undefined) return exchange.arrival.next(toHttpError(error, answer.status, exchange));
    if (operation !== undefined && answer.hasMessage) {
      const isRefused = isRefusal(exchange, thrown, answer.status);
      return isRefused ? this.#sendRefusal(exchange, operation, answer) : this.#sendDeclared(exchange, operation, answer);
    }
    const plain = { ...answer, headers: exchange.headers.with(answer.headers) };
    // A 404 or 405 may be kept by any cache that is not told otherwise (RFC 9110, section 15.1).
    if (operation === undefined) return send(exchange, { ...plain, headers: plain.headers.set('Cache-Control', 'no-store') });
    exchange.log.warn(
      { operation: operation.id, status: answer.status },
      `the contract has no place for the reason in the body of ${answer.status}: it is sent in code, message and status`,
    );
    return send(exchange, plain);
  }

  /** Counts requests that were refused before the rate limit step, by address if there is no caller; 5xx are not counted. */
  #countUncounted(formatted: Formatted, exchange: Exchange): Formatted | Promise<Formatted> {
    const { rateLimit } = this.#options;
    if (exchange.rateLimit !== undefined) return formatted;
    if (isServerError(formatted.error, formatted.answer)) {
      rateLimit.addHeaders(exchange);
      return formatted;
    }
    const refuse = (refusal: unknown) => this.#format(toAppError(refusal), exchange);
    try {
      const pending = rateLimit.count(exchange);
      return pending === undefined ? formatted : pending.then(() => formatted, refuse);
    } catch (refusal) {
      return refuse(refusal);
    }
  }

  #report(exchange: Exchange, given: AppError, error: AppError, answer: FormattedError): void {
    const { metrics } = this.#options;
    metrics?.countError(error, answer.status);
    if (isOfUnknownCredentials(given, exchange)) metrics?.countUnknownCredentials(answer.status);
    if (!isServerError(error, answer)) return;
    if (answer.status === UNAVAILABLE) this.#outages.report(exchange, error);
    else exchange.log.error({ operation: exchange.operation?.id, err: error.cause ?? error }, error.message);
  }

  /** Sends it although the operation may not declare it. */
  #sendRefusal(exchange: Exchange, operation: ContractOperation, answer: FormattedError): void {
    const result = operation.validateResponse(answer, exchange.headers);
    if (result.problems.length === 0) return send(exchange, result);
    if (this.#options.responseValidation !== 'off')
      exchange.log.warn({ operation: operation.id }, brokenContract(operation.id, answer.status, result.problems));
    send(exchange, { ...answer, headers: result.headers, head: result.head });
  }

  #sendDeclared(exchange: Exchange, operation: ContractOperation, answer: FormattedError): void {
    const { format, responseValidation } = this.#options;
    try {
      send(exchange, validateResponse(exchange, answer, responseValidation));
    } catch (invalid) {
      if (!(invalid instanceof InvalidResponseError)) throw invalid;
      exchange.log.error({ operation: operation.id, err: invalid }, invalid.message);
      send(exchange, { ...format(new FrameworkError('internal_error', 'internal error'), operation), headers: exchange.headers.copy() });
    }
  }
}

/** Whether a request has failed because its client is gone: within its body, or with what its handler has ended for that reason. */
function isOfGoneClient(thrown: unknown, { isClosed }: Exchange): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < MAX_CAUSES; error = error.cause, depth++) {
    if (error instanceof ClientGoneError) return true;
    if (isClosed && (error.name === 'AbortError' || error.message === CLIENT_LEFT)) return true;
  }
  return false;
}

/** How many causes of an error are looked at. */
const MAX_CAUSES = 8;

/** Whether the pipeline has made the error, and not the handler: the body that the handler was reading is the pipeline's too. */
function isRefusal(exchange: Exchange, thrown: unknown, status: number): boolean {
  if (!exchange.isHandled || exchange.isExpired) return true;
  if (thrown instanceof DownloadRefusal || status === 501 || status === UNAVAILABLE) return true;
  return thrown instanceof Error && [exchange.incoming?.stream?.errored, exchange.incoming?.error].includes(thrown);
}

/** 505 is 5xx by its number alone: the client has sent another version. */
const isServerError = ({ code }: AppError, { status }: { readonly status: number }): boolean => status >= 500 && code !== 'invalid_request';

/** A handler that finds the account of a key gone, or its scopes too few, does not know how the caller has authenticated. */
function withChallenge(error: AppError, { challenges }: Exchange): AppError {
  const challenge = error.code === 'unauthorized' || error.code === 'insufficient_scope' ? challenges?.[error.code] : undefined;
  if (challenge === undefined || HeaderFields.of(error.headers).has('WWW-Authenticate')) return error;
  const { code, message, headers, status, problems, cause } = error;
  return new AppError(code, message, { headers: { ...headers, 'WWW-Authenticate': challenge }, status, problems, cause });
}

/** An error as handlers of Express expect it (http-errors). The headers of the pipeline are set already. */
function toHttpError(error: AppError, status: number, { headers, response }: Exchange): Error {
  setFields(response, headers);
  const { code, message, cause } = error;
  return Object.assign(new Error(message, { cause }), {
    name: error.name,
    code,
    status,
    statusCode: status,
    expose: status < 500,
    headers: error.headers,
  });
}

export const toAppError = (thrown: unknown): AppError =>
  isAppError(thrown) ? thrown : new FrameworkError('internal_error', 'internal error', { cause: thrown });
