/** Step 10: every error ends here. One table decides the status; the cause is logged once; the client sees the message. */
import type { ErrorRequestHandler, Request } from 'express';
import { AppError, ERRORS, type ErrorKind } from '../errors.ts';
import { ERROR_TYPE, errorBody } from '../../../../src/errors.ts';
import { BODY_LIMIT } from './parse-body.ts';
import type { Exchange } from './exchange.ts';
import { BrokenContract, checked, send, type ResponseValidation } from './send-response.ts';

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  precondition: 412,
  too_large: 413,
  expectation: 417,
  limited: 429,
  headers: 431,
  internal: 500,
  unimplemented: 501,
  unavailable: 503,
};

/** An error as a response, in the words of the service. */
export function answerOf({ code, message, headers }: AppError) {
  const status = STATUS[ERRORS[code]];
  return { status, headers, body: errorBody({ code, message, status }), type: ERROR_TYPE };
}

/**
 * The error handler at the end of the line.
 *
 * @param mode an error of a handler that the operation does not declare breaks the contract as any response does: in
 *   `strict` it becomes a 500, and a log line that names the operation. What the line refuses, before the handler or in
 *   the place of one that is not written, it refuses whether the contract has thought of it or not.
 * @param count counts a request that no step has counted; it throws if that is one too many.
 */
export function problem(mode: ResponseValidation, count: (request: Request) => Promise<void>): ErrorRequestHandler {
  return async (thrown: unknown, request, response, next) => {
    const { exchange } = request;
    // What has begun to be sent cannot be taken back: Express closes the connection.
    if (response.headersSent) return next(thrown);
    const error = await counted(toAppError(thrown), request, count);
    const answer = answerOf(error);
    if (answer.status >= 500) exchange.log.error({ operation: exchange.operation?.id, err: error.cause ?? error }, error.message);

    const plain = { ...answer, headers: { ...exchange.headers, ...answer.headers } };
    // What is left of a body is read and dropped, or the next request on the connection would wait behind it for ever.
    if (!request.complete) request.resume();
    if (exchange.operation === undefined) return send(request, response, plain);
    const refused = isRefusal(error, exchange);
    try {
      send(request, response, checked(request, answer, refused ? 'strict' : mode));
    } catch (broken) {
      if (!(broken instanceof BrokenContract)) throw broken;
      if (refused) {
        if (mode !== 'off') exchange.log.warn({ operation: exchange.operation.id }, broken.message);
        return send(request, response, plain);
      }
      exchange.log.error({ operation: exchange.operation.id, err: broken }, broken.message);
      send(request, response, { ...answerOf(new AppError('internal_error', 'internal error')), headers: exchange.headers });
    }
  };
}

/** Whether no handler has seen the request. */
const isRefusal = ({ code }: AppError, { input }: Exchange) => input === undefined || ERRORS[code] === 'unimplemented';

/** Whoever failed before the limits, without a key for one, pays by address; what is this server's own problem costs nothing. */
async function counted(error: AppError, request: Request, count: (request: Request) => Promise<void>): Promise<AppError> {
  if (request.exchange.limits !== undefined || answerOf(error).status >= 500) return error;
  try {
    await count(request);
    return error;
  } catch (refusal) {
    return toAppError(refusal);
  }
}

/** What body-parser and Node throw, in the terms of the contract. What nobody expected is an internal error. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { type, message } = thrown as { type?: unknown; message?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new AppError('body_too_large', `the body is larger than ${BODY_LIMIT} bytes`, { cause: thrown });
    case 'encoding.unsupported':
      return new AppError('unsupported_content_type', 'header/Content-Encoding must be gzip, deflate, br or identity', { cause: thrown });
    case 'request.aborted':
    case 'request.size.invalid':
      return new AppError('invalid_request', 'body is shorter or longer than Content-Length says', { cause: thrown });
    default:
      // body-parser passes on what zlib says of a body that is not compressed as its Content-Encoding claims.
      if (isZlibError(thrown)) return new AppError('invalid_request', `body cannot be decompressed: ${String(message)}`, { cause: thrown });
      return new AppError('internal_error', 'internal error', { cause: thrown });
  }
}

const isZlibError = (thrown: unknown) => /^Z_|^ERR_.*(BROTLI|_FORMAT_)/.test(String((thrown as { code?: unknown }).code));
