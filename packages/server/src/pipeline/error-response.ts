/** Pipeline step: every error ends here. A table gives its status, its cause is logged once, the client gets its message. */
import type { ContractOperation, ValidContent } from '@specwright/contract';
import { AppError, FRAMEWORK_ERRORS, FrameworkError, type FrameworkErrorCode, isAppError } from '@specwright/contract/runtime';
import { OverloadError } from './admission/refusals.ts';
import { ClientGoneError } from './body/body-errors.ts';
import type { RequestMetrics } from './context/request-metrics.ts';
import type { ErrorFormatter, FormattedError } from './error-formatter.ts';
import { CLIENT_LEFT, type Exchange, type ExchangeService, type Sets } from './exchange.ts';
import { OutageLog } from './outage-log.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import type { Step } from './step.ts';
import { brokenContract, InvalidResponseError, validateResponse, send, setFields, type ResponseValidation } from './send-response.ts';

export interface HandleErrorOptions {
  readonly format: ErrorFormatter;
  /** Whether errors go to the application's error handler, where there is one. */
  readonly passOn?: boolean | undefined;
  readonly responseValidation: ResponseValidation;
  readonly rateLimit: Pick<RateLimit, 'addHeaders'> & { readonly count: Step };
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

/** The pipeline's own, though it needs what the handler has answered: sent whether the contract declares the status or not. */
export class DownloadRefusal extends AppError<FrameworkErrorCode> {}

/** What an error is answered with, and each after it with its code, message and status if it is constant. */
interface Answer extends FormattedError {
  readonly error: AppError;
  /** Its body once it was validated and written. */
  content?: ValidContent;
}

class ErrorResponder {
  readonly #options: HandleErrorOptions;
  /** The last of each code of an operation. Messages may repeat what clients sent: of those there is one at a time. */
  readonly #answers = new Map<ContractOperation | undefined, Map<string, Answer>>();
  readonly #outages = new OutageLog();

  constructor(options: HandleErrorOptions) {
    this.#options = options;
  }

  /** Counts requests that were refused before the rate limit step, by address if there is no caller; 5xx are not counted. */
  answer(exchange: Sets<'isOverload'>, thrown: unknown): void | Promise<void> {
    // The line of the request says so, and it is counted there.
    if (isOfGoneClient(thrown, exchange)) return void exchange.response.destroy();
    const { rateLimit, passOn = false } = this.#options;
    exchange.isOverload = thrown instanceof OverloadError && !passOn;
    const error = withChallenge(toAppError(thrown), exchange);
    const answer = this.#answerTo(error, exchange);
    if (exchange.rateLimit !== undefined) return this.#send(exchange, thrown, error, answer);
    if (isServerError(error, answer)) {
      rateLimit.addHeaders(exchange);
      return this.#send(exchange, thrown, error, answer);
    }
    const refuse = (refusal: unknown): void => {
      const another = toAppError(refusal);
      this.#send(exchange, thrown, another, this.#answerTo(another, exchange));
    };
    try {
      const pending = rateLimit.count(exchange);
      if (pending !== undefined) return pending.then(() => this.#send(exchange, thrown, error, answer), refuse);
    } catch (refusal) {
      return refuse(refusal);
    }
    this.#send(exchange, thrown, error, answer);
  }

  #answerTo(error: AppError, { operation }: Exchange): Answer {
    const { code, message, status, problems } = error;
    let answers = this.#answers.get(operation);
    if (answers === undefined) this.#answers.set(operation, (answers = new Map<string, Answer>()));
    const last = answers.get(code);
    if (last !== undefined && last.error.message === message && last.error.status === status && problems === undefined) return last;
    const made = { ...this.#options.format(error, operation), error };
    if (made.isConstant) answers.set(code, made);
    return made;
  }

  #send(exchange: Exchange, thrown: unknown, error: AppError, answer: Answer): void {
    const { passOn = false } = this.#options;
    const { response, operation } = exchange;
    this.#report(exchange, thrown, error, answer);
    // What has begun to be sent cannot be taken back.
    if (response.headersSent) return response.writableEnded ? undefined : void response.destroy();
    exchange.headers.deleteContent();
    if (passOn && exchange.arrival.next !== undefined) return exchange.arrival.next(toHttpError(error, answer.status, exchange));
    const given = { ...answer, headers: withRetryAfter(error === answer.error ? answer.headers : error.headers, answer.status) };
    if (operation !== undefined && answer.hasMessage) {
      const content = (answer.content ??= operation.validateContent(answer));
      const isRefused = isRefusal(exchange, thrown, answer.status);
      return isRefused ? this.#sendRefusal(exchange, operation, given, content) : this.#sendDeclared(exchange, operation, given, content);
    }
    const plain = { ...given, headers: exchange.headers.with(given.headers) };
    // A 404 or 405 may be kept by any cache that is not told otherwise (RFC 9110, section 15.1).
    if (operation === undefined) return send(exchange, { ...plain, headers: plain.headers.set('Cache-Control', 'no-store') });
    if (!exchange.isOverload)
      exchange.log.warn(
        { operation: operation.id, status: answer.status },
        `the contract has no place for the reason in the body of ${answer.status}: it is sent in code, message and status`,
      );
    return send(exchange, plain);
  }

  #report(exchange: Exchange, thrown: unknown, error: AppError, answer: FormattedError): void {
    const { metrics } = this.#options;
    metrics?.countError(error, answer.status);
    // Those of an overload are logged together, where they are thrown.
    if (exchange.isOverload) return;
    if (isOfUnknownCredentials(thrown, exchange)) metrics?.countUnknownCredentials(answer.status);
    if (!isServerError(error, answer)) return;
    if (answer.status === UNAVAILABLE) this.#outages.report(exchange, error);
    else exchange.log.error({ operation: exchange.operation?.id, err: error.cause ?? error }, error.message);
  }

  /** Sends it although the operation may not declare it. */
  #sendRefusal(exchange: Exchange, operation: ContractOperation, answer: FormattedError, content: ValidContent): void {
    const result = operation.validateResponse(answer, exchange.headers, content);
    if (result.problems.length === 0) return send(exchange, result);
    if (this.#options.responseValidation !== 'off' && !exchange.isOverload)
      exchange.log.warn({ operation: operation.id }, brokenContract(operation.id, answer.status, result.problems));
    send(exchange, { ...answer, headers: result.headers, head: result.head });
  }

  #sendDeclared(exchange: Exchange, operation: ContractOperation, answer: FormattedError, content: ValidContent): void {
    const { format, responseValidation } = this.#options;
    try {
      send(exchange, validateResponse(exchange, answer, responseValidation, content));
    } catch (invalid) {
      if (!(invalid instanceof InvalidResponseError)) throw invalid;
      exchange.log.error({ operation: operation.id, err: invalid }, invalid.message);
      send(exchange, { ...format(new FrameworkError('internal_error', 'internal error'), operation), headers: exchange.headers.copy() });
    }
  }
}

/** True for 401, and for 429 after too many bad credentials from one address. */
const isOfUnknownCredentials = (thrown: unknown, { caller, hasCredentials }: Exchange): boolean =>
  hasCredentials &&
  caller === undefined &&
  thrown instanceof AppError &&
  (thrown.code === 'unauthorized' || thrown.code === 'rate_limited');

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
  if (challenge === undefined || hasField(error.headers, 'www-authenticate')) return error;
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

const UNAVAILABLE = FRAMEWORK_ERRORS.service_unavailable;

/** A client that is not told when to retry does so at once, or never. */
const withRetryAfter = (headers: AppError['headers'], status: number): AppError['headers'] =>
  status !== UNAVAILABLE || hasField(headers, 'retry-after') ? headers : { ...headers, 'Retry-After': '1' };

/** @param name in lower case. */
const hasField = (headers: AppError['headers'], name: string): boolean =>
  Object.keys(headers).some((field) => field.toLowerCase() === name);

export const toAppError = (thrown: unknown): AppError =>
  isAppError(thrown) ? thrown : new FrameworkError('internal_error', 'internal error', { cause: thrown });
