/** Step 9: holds the response against the contract and sends it. The only place that writes a response of an operation. */
import type { Request, RequestHandler, Response } from 'express';
import { isJson } from '../contract/media-types.ts';
import type { ValidatedResponse } from '../contract/response-validator.ts';
import type { UnvalidatedResponse } from '../contract/handler-response.ts';
import { operationOf } from './exchange.ts';

/** What happens to a response that breaks the contract: it becomes a 500, it is only logged, or nobody looks. */
export type ResponseValidation = 'strict' | 'log' | 'off';

/** Thrown in `strict`: the response that the handler gave stays inside. */
export class InvalidResponseError extends Error {
  constructor(operation: string, status: number, problems: readonly string[]) {
    super(`${operation} answered ${status} against the contract: ${problems.join('; ')}`);
    this.name = 'BrokenContract';
  }
}

export function sendResponse(mode: ResponseValidation): RequestHandler {
  return (request, response) => {
    const { handlerResponse } = request.exchange;
    if (handlerResponse === undefined) throw new Error('no response: this step stands before handle');
    send(request, response, validateResponse(request, handlerResponse, mode));
  };
}

/**
 * The response as the contract allows it, with the headers of the line.
 *
 * @throws BrokenContract in `strict`. In `log` and `off` it goes out as it is, cut down to its schema.
 */
export function validateResponse(request: Request, outgoing: UnvalidatedResponse, mode: ResponseValidation): ValidatedResponse {
  const { exchange } = request;
  const operation = operationOf(request);
  const headers = { ...exchange.headers, ...outgoing.headers };
  const lists = [exchange.headers['Link'], outgoing.headers['Link']].filter((value) => value !== undefined);
  if (lists.length > 0) headers['Link'] = lists.join(', ');
  const result = operation.validateResponse({ status: outgoing.status, headers, body: outgoing.body, type: outgoing.type });
  if (result.problems.length > 0 && mode !== 'off') {
    const broken = new InvalidResponseError(operation.id, outgoing.status, result.problems);
    if (mode === 'strict') throw broken;
    exchange.log.error({ operation: operation.id, status: outgoing.status, problems: result.problems }, broken.message);
  }
  return result;
}

/** A response whose body is a JSON value, or text or bytes of any type. */
export type SerializableResponse = Pick<ValidatedResponse, 'status' | 'headers'> & { type: string | undefined } & (
    { body: unknown; text?: never } | { text: string | Buffer; body?: never }
  );

/** Writes a response. The only place that does. */
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

/** A body of a type that is not JSON is text or bytes as it is. */
function serialize(type: string | undefined, body: unknown): string | Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return typeof body === 'string' && type !== undefined && !isJson(type) ? body : JSON.stringify(body);
}
