/** Step 12: every error ends here. The service's table decides the status; the cause is logged once; the client sees the message. */
import type { ErrorRequestHandler, Request } from 'express';
import { FRAMEWORK_ERRORS, FrameworkError, isAppError, type AppError, type ErrorStatuses } from '../errors.ts';
import { MAX_BODY_BYTES } from './parse-body.ts';
import { InvalidResponseError, validateResponse, send, type ResponseValidation } from './send-response.ts';

/** What the errors of a service look like. */
export interface ErrorOptions {
  /** Its codes and their statuses, those of the framework among them. */
  readonly statuses?: ErrorStatuses;
  /** The media type of every error body. */
  readonly type?: string;
  /** The body of an error, as the contract declares it. */
  readonly body?: (error: { readonly code: string; readonly message: string; readonly status: number }) => object;
}

/** An error as a response. */
export type ErrorFormatter = (error: AppError) => {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: object;
};

/** @returns a function that turns an error into a response; a code that the table lacks is an internal error. */
export function createErrorFormatter({
  statuses = FRAMEWORK_ERRORS,
  type = 'application/json',
  body = (error) => error,
}: ErrorOptions): ErrorFormatter {
  return ({ code, message, headers }) => {
    const status = Object.hasOwn(statuses, code) ? statuses[code] : undefined;
    if (status === undefined)
      return { status: 500, headers: {}, type, body: body({ code: 'internal_error', message: 'internal error', status: 500 }) };
    return { status, headers, type, body: body({ code, message, status }) };
  };
}

export interface HandleErrorOptions {
  readonly format: ErrorFormatter;
  readonly mode: ResponseValidation;
  /** Counts a request that no step has counted; it throws if that is one too many. */
  readonly countByAddress: (request: Request) => Promise<void>;
}

/**
 * The error handler at the end of the pipeline.
 *
 * An error of a handler that the operation does not declare breaks the contract as any response does: in `strict` it
 * becomes a 500, and a log line that names the operation. What the pipeline refuses, before the handler or in the place of
 * one that is not written, it refuses whether the contract declares the status or not.
 */
export function handleError({ format, mode, countByAddress: count }: HandleErrorOptions): ErrorRequestHandler {
  /** Whoever failed before the limits, without a key for one, pays by address; what is this server's own problem costs nothing. */
  async function countUncounted(error: AppError, request: Request): Promise<AppError> {
    if (request.exchange.rateLimit !== undefined || format(error).status >= 500) return error;
    try {
      await count(request);
      return error;
    } catch (refusal) {
      return toAppError(refusal);
    }
  }

  return async (thrown: unknown, request, response, next) => {
    const { exchange } = request;
    // What has begun to be sent cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(thrown);
    const error = await countUncounted(toAppError(thrown), request);
    const answer = format(error);
    if (answer.status >= 500) exchange.log.error({ operation: exchange.operation?.id, err: error.cause ?? error }, error.message);

    const plain = { ...answer, headers: { ...exchange.headers, ...answer.headers } };
    // What is left of a body is read and dropped, or the next request on the connection would wait behind it for ever.
    if (!request.complete) request.resume();
    if (exchange.operation === undefined) return send(request, response, plain);
    const refused = exchange.input === undefined || answer.status === 501;
    try {
      send(request, response, validateResponse(request, answer, refused ? 'strict' : mode));
    } catch (broken) {
      if (!(broken instanceof InvalidResponseError)) throw broken;
      if (refused) {
        if (mode !== 'off') exchange.log.warn({ operation: exchange.operation.id }, broken.message);
        return send(request, response, plain);
      }
      exchange.log.error({ operation: exchange.operation.id, err: broken }, broken.message);
      send(request, response, { ...format(new FrameworkError('internal_error', 'internal error')), headers: exchange.headers });
    }
  };
}

/** What body-parser and Node throw, in the terms of the contract. What nobody expected is an internal error. */
function toAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown;
  const { type, message } = thrown as { type?: unknown; message?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new FrameworkError('body_too_large', `the body is larger than ${MAX_BODY_BYTES} bytes`, { cause: thrown });
    case 'encoding.unsupported':
      return new FrameworkError('unsupported_content_type', 'header/Content-Encoding must be gzip, deflate, br or identity', {
        cause: thrown,
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new FrameworkError('invalid_request', 'body is shorter or longer than Content-Length says', { cause: thrown });
    default:
      // body-parser passes on what zlib says of a body that is not compressed as its Content-Encoding claims.
      if (isZlibError(thrown))
        return new FrameworkError('invalid_request', `body cannot be decompressed: ${String(message)}`, { cause: thrown });
      return new FrameworkError('internal_error', 'internal error', { cause: thrown });
  }
}

const isZlibError = (thrown: unknown) => /^Z_|^ERR_.*(BROTLI|_FORMAT_)/.test(String((thrown as { code?: unknown }).code));
