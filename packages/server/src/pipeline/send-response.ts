/** Pipeline step: validates the response of the handler, removes what is not declared, and sends it. */
import type { Request, RequestHandler, Response } from 'express';
import { isJson } from '../contract/media-types.ts';
import type { ValidatedResponse } from '../contract/response-validator.ts';
import type { UnvalidatedResponse } from '../contract/handler-response.ts';
import { operationOf } from './exchange.ts';

/** What happens to a response that breaks the contract: `strict` sends 500, `log` only logs it, `off` ignores it. */
export type ResponseValidation = 'strict' | 'log' | 'off';

/** Thrown in `strict` for a response that breaks the contract. */
export class InvalidResponseError extends Error {
  constructor(operation: string, status: number, problems: readonly string[]) {
    super(`the ${status} response of ${operation} breaks the contract: ${problems.join('; ')}`);
    this.name = 'InvalidResponseError';
  }
}

export function sendResponse(mode: ResponseValidation): RequestHandler {
  return (request, response) => {
    const { handlerResponse } = request.exchange;
    if (handlerResponse === undefined) throw new Error('this step must come after callHandler');
    send(request, response, validateResponse(request, handlerResponse, mode));
  };
}

/**
 * Validates a response together with the headers that the pipeline has added.
 *
 * @returns the response without undeclared properties. @throws InvalidResponseError in `strict`.
 */
export function validateResponse(request: Request, unvalidated: UnvalidatedResponse, mode: ResponseValidation): ValidatedResponse {
  const { exchange } = request;
  const operation = operationOf(request);
  const headers = { ...exchange.headers, ...unvalidated.headers };
  const links = [exchange.headers['Link'], unvalidated.headers['Link']].filter((value) => value !== undefined);
  if (links.length > 0) headers['Link'] = links.join(', ');
  const result = operation.validateResponse({ status: unvalidated.status, headers, body: unvalidated.body, type: unvalidated.type });
  if (result.problems.length > 0 && mode !== 'off') {
    const error = new InvalidResponseError(operation.id, unvalidated.status, result.problems);
    if (mode === 'strict') throw error;
    exchange.log.error({ operation: operation.id, status: unvalidated.status, problems: result.problems }, error.message);
  }
  return result;
}

/** A response whose body is a JSON value, or text or bytes of any type. */
export type SerializableResponse = Pick<ValidatedResponse, 'status' | 'headers'> & { type: string | undefined } & (
    { body: unknown; text?: never } | { text: string | Buffer; body?: never }
  );

/** Writes a response. The only function that does. */
export function send(
  request: Request,
  response: Response,
  { status, headers, type, body, text = serialize(type, body) }: SerializableResponse,
): void {
  // RFC 9110, section 8.6: no Content-Length in a 204 or a 304; a HEAD has that of its GET.
  const length =
    text === undefined && (status === 204 || status === 304) ? {} : { 'Content-Length': String(Buffer.byteLength(text ?? '')) };
  response.writeHead(status, { ...headers, ...(text === undefined ? {} : { 'Content-Type': type }), ...length });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** A body of a type that is not JSON is sent unchanged if it is text or bytes. */
function serialize(type: string | undefined, body: unknown): string | Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return typeof body === 'string' && type !== undefined && !isJson(type) ? body : JSON.stringify(body);
}
