/** Pipeline step: every error ends here. A table gives its status, its cause is logged once, the client gets its message. */
import type { ErrorRequestHandler, Request } from 'express';
import { FRAMEWORK_ERRORS, FrameworkError, isAppError, type AppError, type ErrorStatuses } from '../errors.ts';
import { MAX_BODY_BYTES } from './parse-body.ts';
import type { RateLimit } from './rate-limit.ts';
import { InvalidResponseError, validateResponse, send, type ResponseValidation } from './send-response.ts';

/** How the errors of a service are sent. */
export interface ErrorOptions {
  /** Its codes and their statuses, including those of the framework. */
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

/** @returns a function that makes a response of an error. A code that the table lacks is an internal error. */
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
  readonly responseValidation: ResponseValidation;
  readonly rateLimit: Pick<RateLimit, 'countByAddress' | 'addHeaders'>;
}

/**
 * The error handler at the end of the pipeline.
 *
 * An error of a handler that the operation does not declare breaks the contract as any response does: in `strict` it is sent
 * as a 500 and logged. What the pipeline refuses, before the handler or instead of one that is not implemented, is sent
 * whether the contract declares its status or not.
 */
export function handleError({ format, responseValidation, rateLimit }: HandleErrorOptions): ErrorRequestHandler {
  /** Counts by address what was refused before the limits; errors of the server itself are not counted. */
  async function countOnce(error: AppError, request: Request): Promise<AppError> {
    if (request.exchange.rateLimit !== undefined) return error;
    if (format(error).status >= 500) {
      rateLimit.addHeaders(request);
      return error;
    }
    try {
      await rateLimit.countByAddress(request);
      return error;
    } catch (refusal) {
      return toAppError(refusal);
    }
  }

  return async (thrown: unknown, request, response, next) => {
    const { exchange } = request;
    // A response that is partly sent cannot be replaced: Express closes the connection.
    if (response.headersSent) return next(thrown);
    const error = await countOnce(toAppError(thrown), request);
    const formatted = format(error);
    if (formatted.status >= 500) exchange.log.error({ operation: exchange.operation?.id, err: error.cause ?? error }, error.message);

    const unvalidated = { ...formatted, headers: { ...exchange.headers, ...formatted.headers } };
    // The rest of the body is read and dropped, or it would block the next request on the connection.
    if (!request.complete) request.resume();
    if (exchange.operation === undefined) return send(request, response, unvalidated);
    const isRefusal = exchange.input === undefined || formatted.status === 501;
    try {
      send(request, response, validateResponse(request, formatted, isRefusal ? 'strict' : responseValidation));
    } catch (invalid) {
      if (!(invalid instanceof InvalidResponseError)) throw invalid;
      if (isRefusal) {
        if (responseValidation !== 'off') exchange.log.warn({ operation: exchange.operation.id }, invalid.message);
        return send(request, response, unvalidated);
      }
      exchange.log.error({ operation: exchange.operation.id, err: invalid }, invalid.message);
      send(request, response, { ...format(new FrameworkError('internal_error', 'internal error')), headers: exchange.headers });
    }
  };
}

/** The error of the contract for what body-parser and Node throw. Any other is an internal error. */
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
      // body-parser passes on the errors of zlib for a body that does not match its Content-Encoding.
      if (isZlibError(thrown))
        return new FrameworkError('invalid_request', `body cannot be decompressed: ${String(message)}`, { cause: thrown });
      return new FrameworkError('internal_error', 'internal error', { cause: thrown });
  }
}

const isZlibError = (thrown: unknown) => /^Z_|^ERR_.*(BROTLI|_FORMAT_)/.test(String((thrown as { code?: unknown }).code));
