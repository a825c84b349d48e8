/** Validates responses, removes what is not declared, and sends them. */
import type { Response } from 'express';
import { belowBase } from '../http/below-base.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { codedTag } from '../http/conditional.ts';
import { isList, type HeaderFields, stringifyJson, type UnvalidatedResponse, isJson, type ValidatedResponse } from '@specwright/contract';
import { headerValues } from '../http/request-head.ts';
import { compress, isCompressible, isCompressibleType, MIN_COMPRESSED_BYTES } from './compression.ts';
import { operationOf, type Exchange } from './exchange.ts';
import { discardBody } from './body/unread-body.ts';
import type { Step } from './step.ts';
import { canWriteText, isUntouched, writeText } from './write-text.ts';

/** What happens to a response that breaks the contract: `strict` sends 500, `log` only logs it, `off` ignores it. */
export type ResponseValidation = 'strict' | 'log' | 'off';

export const brokenContract = (operation: string, status: number, problems: readonly string[]): string =>
  `the ${status} response of ${operation} breaks the contract: ${problems.join('; ')}`;

/** Thrown in `strict` for a response that breaks the contract. */
export class InvalidResponseError extends Error {
  constructor(operation: string, status: number, problems: readonly string[]) {
    super(brokenContract(operation, status, problems));
    this.name = 'InvalidResponseError';
  }
}

/**
 * Validates a response together with the headers that the pipeline has added.
 *
 * @returns the response without undeclared properties. @throws InvalidResponseError in `strict`.
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

/** Pipeline step: validates the response of the handler and sends it. @param sendStreamed sends one whose body comes in parts. */
export const sendResponse =
  (mode: ResponseValidation, sendStreamed: Step): Step =>
  (exchange) => {
    const { handlerResponse } = exchange;
    if (handlerResponse === undefined) throw new Error('this step must come after callHandler');
    if (handlerResponse.streamed !== undefined) return sendStreamed(exchange);
    // What was valid when it was stored is sent, even if the contract has gained a requirement since.
    return send(exchange, validateResponse(exchange, handlerResponse, exchange.isReplay && mode === 'strict' ? 'log' : mode));
  };

/** A response whose body is a JSON value, or text or bytes of any type. `headers` are the sender's to add to. */
export type SerializableResponse = Pick<ValidatedResponse, 'status' | 'headers'> &
  Partial<Pick<ValidatedResponse, 'head'>> & { type: string | undefined } & (
    { body: unknown; text?: never } | { text: string | Buffer; body?: never }
  );

/** Writes a response. The only function that does, with `writeText`. */
export function send(exchange: Exchange, given: SerializableResponse): void {
  const { arrival, coding } = exchange;
  const { status, type, body, text = serialize(type, body) } = given;
  const headers = arrival.base === '' ? given.headers : belowBase(given.headers, arrival.base);
  const head = headers === given.headers ? given.head : undefined;
  if (coding !== undefined) {
    if (text !== undefined && text.length >= MIN_COMPRESSED_BYTES && isCompressible(headers) && isCompressibleType(type ?? ''))
      return sendNegotiated(exchange, { status, headers, head, type, text }, coding);
    if (status === 304) tagAsStored(exchange, headers, coding);
  }
  sendText(exchange, { status, headers, head, type, text });
}

type Coding = ContentCoding | 'identity';

type TextResponse = Pick<SerializableResponse, 'status' | 'headers' | 'head' | 'type'> & { readonly text: string | Buffer | undefined };

function sendText(exchange: Exchange, { status, headers, head, type, text }: TextResponse): void {
  const { request, response } = exchange;
  exchange.move('sending');
  if (head !== undefined && typeof text === 'string' && canWriteText(request, response, status))
    return writeText(response, status, `${head}\r\nContent-Type: ${type}`, text);
  if (!request.complete) discardBody(exchange, headers);
  if (text !== undefined) {
    headers.set('Content-Type', type ?? '').set('Content-Length', String(Buffer.byteLength(text)));
  } else if (status !== 204 && status !== 304) headers.set('Content-Length', '0');
  beginResponse(exchange, status, headers);
  // RFC 9110, section 8.6: no Content-Length in a 204 or a 304; a HEAD has that of its GET.
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Another client gets another coding of it, and a cache has to know (RFC 9110, section 12.5.5). */
const VARY = 'Accept-Encoding';

function sendNegotiated(exchange: Exchange, given: TextResponse & { readonly text: string | Buffer }, coding: Coding): void {
  const { text } = given;
  if (coding === 'identity') {
    const head = given.head === undefined || given.headers.has('Vary') ? undefined : `${given.head}\r\nVary: ${VARY}`;
    return sendText(exchange, { ...given, headers: given.headers.append('Vary', VARY), head });
  }
  const fields = given.headers.append('Vary', VARY).set('Content-Encoding', coding);
  const tag = fields.get('ETag');
  if (tag !== undefined) fields.set('ETag', codedTag(tag, coding));
  const compressed = compress(text, coding);
  const sendBytes = (bytes: Buffer) => sendText(exchange, { ...given, headers: fields, head: undefined, text: bytes });
  if (Buffer.isBuffer(compressed)) return sendBytes(compressed);
  compressed.then(sendBytes).catch((err: unknown) => {
    exchange.log.error({ operation: exchange.operation?.id, err }, 'the response could not be compressed');
    exchange.response.destroy();
  });
}

/** A 304 has the tag of the response that its client has (RFC 9111, section 4.3.4), which was encoded if its tag says so. */
function tagAsStored({ request }: Exchange, headers: HeaderFields, coding: Coding): void {
  const tag = headers.get('ETag');
  if (tag === undefined || coding === 'identity') return;
  const stored = codedTag(tag, coding);
  if (headerValues(request, 'if-none-match').some((tags) => tags.includes(stored))) headers.set('ETag', stored).append('Vary', VARY);
}

/** Writes the head of a response; that of one which middleware has wrapped is written with its body. */
export function beginResponse({ response }: Exchange, status: number, headers: HeaderFields): void {
  if (isUntouched(response)) return void response.writeHead(status, headers.list as string[]);
  response.statusCode = status;
  setFields(response, headers);
}

/**
 * For a response that middleware has wrapped: what wraps it reads the fields that are set, and sees the head when the body is written.
 * Middleware may have begun lists.
 */
export function setFields(response: Response, { list }: HeaderFields): void {
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i] as string;
    const value = list[i + 1] as string;
    if (isList(name)) response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}

/** A body of a type that is not JSON is sent unchanged if it is text or bytes. */
function serialize(type: string | undefined, body: unknown): string | Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return typeof body === 'string' && type !== undefined && !isJson(type) ? body : stringifyJson(body);
}
