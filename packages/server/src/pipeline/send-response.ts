/** Validates responses, removes what is not declared, and sends them: head and body as one text, where Node would write the same. */
import { type IncomingMessage, STATUS_CODES, ServerResponse } from 'node:http';
import type { Response } from 'express';
import {
  isList,
  type HeaderFields,
  serializeBody,
  type UnvalidatedResponse,
  type ValidatedResponse,
  type ValidContent,
} from '@specwright/contract';
import { belowBase } from '../http/below-base.ts';
import { discardBody } from './body/unread-body.ts';
import type { TextResponse } from './compression.ts';
import { operationOf, type Exchange } from './exchange.ts';
import { isSameAsNode } from './same-as-node.ts';
import type { Step } from './step.ts';

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
 * @param content of a response whose body was validated before. @returns the response without undeclared properties. @throws InvalidResponseError in `strict`.
 */
export function validateResponse(
  exchange: Exchange,
  given: UnvalidatedResponse,
  mode: ResponseValidation,
  content?: ValidContent,
): ValidatedResponse {
  const operation = operationOf(exchange);
  const result = operation.validateResponse(given, exchange.headers, content);
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
    const { handlerResponse, validated } = exchange;
    if (validated !== undefined) return send(exchange, validated);
    if (handlerResponse === undefined) throw new Error('this step must come after callHandler');
    if (handlerResponse.streamed !== undefined) return sendStreamed(exchange);
    // What was valid when it was stored is sent, even if the contract has gained a requirement since.
    return send(exchange, validateResponse(exchange, handlerResponse, exchange.isReplay && mode === 'strict' ? 'log' : mode));
  };

/** A response whose body is a JSON value, or text or bytes of any type. `headers` are the sender's to add to. */
export type SerializableResponse = Pick<ValidatedResponse, 'status' | 'headers'> &
  Partial<Pick<ValidatedResponse, 'head'>> & { type: string | undefined } & (
    { body: unknown; text?: ValidatedResponse['text'] } | { text: string | Buffer; body?: never }
  );

/** Smaller bodies fit in a packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/** Writes a response. The only function that does, with `writeText`. */
export function send(exchange: Exchange, given: SerializableResponse): void {
  const { service, base } = exchange.arrival;
  const { status, type, body, text = serializeBody(type, body) } = given;
  const headers = base === '' ? given.headers : belowBase(given.headers, base);
  const response: TextResponse = { status, headers, head: headers === given.headers ? given.head : undefined, type, text };
  const mayBeEncoded = status === 304 || (text !== undefined && text.length >= MIN_COMPRESSED_BYTES);
  const encoded = service.encode !== undefined && mayBeEncoded ? service.encode(exchange.request, response) : response;
  if (!('then' in encoded)) return sendText(exchange, encoded);
  encoded
    .then((later) => sendText(exchange, later))
    .catch((err: unknown) => {
      exchange.log.error({ operation: exchange.operation?.id, err }, 'the response could not be compressed');
      exchange.response.destroy();
    });
}

function sendText(exchange: Exchange, { status, headers, head, type, text }: TextResponse): void {
  const { request, response } = exchange;
  exchange.move('sending');
  if (head !== undefined && typeof text === 'string' && canWriteText(request, response, status))
    return writeText(response, status, `${head}\r\nContent-Type: ${type}`, text);
  if (!request.complete) discardBody(exchange, headers);
  // RFC 9112, section 6.2: not beside Content-Length. How a body is framed is not for a handler to say.
  headers.delete('Transfer-Encoding');
  if (text !== undefined) {
    headers.set('Content-Type', type ?? '').set('Content-Length', String(Buffer.byteLength(text)));
  } else if (status !== 204 && status !== 304) headers.set('Content-Length', '0');
  beginResponse(exchange, status, headers);
  // RFC 9110, section 8.6: no Content-Length in a 204 or a 304; a HEAD has that of its GET.
  response.end(request.method === 'HEAD' ? undefined : text);
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

// The head and the body of a response as one text.

/** What this file uses of `ServerResponse` inside: what `writeHead` and `end` do in every version of Node so far. A test pins it. */
interface ResponseInternals {
  /** Adds what the connection needs (`Date`, `Connection`, `Keep-Alive`) to a head, after it has checked `fields`. */
  readonly _storeHeader: (head: string, fields: readonly string[]) => void;
  /** The head until it is sent, as text of Latin-1. */
  _header: string;
}

/** Whether `writeText` writes what Node does. Found out once in a process, when it is first asked for: nothing works when a module is loaded. */
let isSame: boolean | undefined;

export const writesAsNode = (): boolean => (isSame ??= isSameAsNode(writeText));

const WRITERS = ['writeHead', 'write', 'end'] as const;
const [writeHead, write, end] = WRITERS.map((name): unknown => Reflect.get(ServerResponse.prototype, name));

/** Whether no middleware has set a header of the response, or replaced what writes it. */
const isUntouched = (response: ServerResponse): boolean =>
  response.writeHead === writeHead && response.write === write && response.end === end && response.getHeaderNames().length === 0;

/**
 * Whether `writeText` writes what `writeHead` and `end` would write. They see to a body that was not read, or not asked for; to
 * statuses and methods without a body; to headers that were set on the response. What middleware has wrapped is written through it.
 */
export const canWriteText = (request: IncomingMessage, response: ServerResponse, status: number): boolean =>
  (isSame ?? writesAsNode()) &&
  request.complete &&
  request.method !== 'HEAD' &&
  request.headers.expect === undefined &&
  status >= 200 &&
  status !== 204 &&
  status !== 304 &&
  !response.headersSent &&
  isUntouched(response);

/**
 * `writeHead` checks and reads each field again, and `end` writes head and body as two parts: together a tenth of what a
 * request costs.
 *
 * @param fields valid ones, each after a line break; none that Node has to read.
 */
export function writeText(response: ServerResponse, status: number, fields: string, text: string): void {
  const length = Buffer.byteLength(text);
  const internals = response as ServerResponse & ResponseInternals;
  response.statusCode = status;
  response.statusMessage = STATUS_CODES[status] ?? 'unknown';
  internals._storeHeader(`HTTP/1.1 ${status} ${response.statusMessage}${fields}\r\n`, ['Content-Length', String(length)]);
  if (length !== text.length) return void response.end(text);
  // ASCII, so that it is the same in the encoding of heads.
  internals._header += text;
  response.end();
}
