/** Step 11: validates the response against the contract and sends it. The only place that writes a response. */
import type { UnvalidatedResponse } from '../contract/handler-response.ts';
import { isJson } from '../contract/media-types.ts';
import type { ValidatedResponse } from '../contract/response-validator.ts';
import { operationOf, type Exchange, type Step } from './exchange.ts';

/** What happens to a response that breaks the contract: it becomes a 500, it is only logged, or nobody looks. */
export type ResponseValidation = 'strict' | 'log' | 'off';

/** Thrown in `strict`: the response that the handler gave stays inside. */
export class InvalidResponseError extends Error {
  constructor(operation: string, status: number, problems: readonly string[]) {
    super(`${operation} answered ${status} against the contract: ${problems.join('; ')}`);
    this.name = 'InvalidResponseError';
  }
}

export function sendResponse(mode: ResponseValidation): Step {
  return (exchange) => {
    const { handlerResponse } = exchange;
    if (handlerResponse === undefined) throw new Error('no response: this step comes before the handler');
    send(exchange, validateResponse(exchange, handlerResponse, mode));
  };
}

/**
 * The response as the contract allows it, with the headers of the pipeline.
 *
 * @throws InvalidResponseError in `strict`. In `log` and `off` it is sent, cut down to its schema.
 */
export function validateResponse(exchange: Exchange, given: UnvalidatedResponse, mode: ResponseValidation): ValidatedResponse {
  const operation = operationOf(exchange);
  const result = operation.validateResponse(given, exchange.headers);
  if (result.problems.length > 0 && mode !== 'off') {
    const invalid = new InvalidResponseError(operation.id, given.status, result.problems);
    if (mode === 'strict') throw invalid;
    exchange.log.error({ operation: operation.id, status: given.status, problems: result.problems }, invalid.message);
  }
  return result;
}

/** A response whose body is a JSON value, or text or bytes of any type. `headers` are the sender's to change. */
export type SerializableResponse = Pick<ValidatedResponse, 'status' | 'headers'> & { type: string | undefined } & (
    { body: unknown; text?: never } | { text: string | Buffer; body?: never }
  );

/** Writes a response. The only function that does. */
export function send(
  { request, response }: Exchange,
  { status, headers, type, body, text = serialize(type, body) }: SerializableResponse,
): void {
  if (text !== undefined) {
    headers['Content-Type'] = type ?? '';
    headers['Content-Length'] = String(Buffer.byteLength(text));
  } else if (status !== 204 && status !== 304) headers['Content-Length'] = '0';
  // RFC 9110, section 8.6: no Content-Length in a 204 or a 304; a HEAD has that of its GET.
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** A body of a type that is not JSON is text or bytes, unchanged. */
function serialize(type: string | undefined, body: unknown): string | Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return typeof body === 'string' && type !== undefined && !isJson(type) ? body : JSON.stringify(body);
}
