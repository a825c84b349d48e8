/** Sends a response whose body comes in parts: bytes, or items. */
import { type ValidatedResponse, assertLength, isByteStream, type StreamedBody, type UnvalidatedResponse } from '@specwright/contract';
import { belowBase } from '../../http/below-base.ts';
import { discardBody } from '../body/unread-body.ts';
import { operationOf, type Exchange } from '../exchange.ts';
import { beginResponse, InvalidResponseError, send, validateResponse, type ResponseValidation } from '../send-response.ts';
import { closeUnopened } from './byte-source.ts';
import { prepareDownload } from './download.ts';
import type { OpenStreams } from './open-streams.ts';
import { sendBytes } from './send-bytes.ts';
import { sendItems } from './send-items.ts';

export interface StreamOptions {
  readonly mode: ResponseValidation;
  readonly streams: Pick<OpenStreams, 'onStop'>;
  readonly formatError: (exchange: Exchange, error: unknown) => unknown;
}

/** Resolves when the head has been written: what follows has neither a deadline nor a slot. @throws as `validateResponse` does. */
export async function sendStreamed(
  exchange: Exchange,
  given: UnvalidatedResponse,
  streamed: StreamedBody,
  options: StreamOptions,
): Promise<void> {
  let valid: ValidatedResponse;
  try {
    if (isByteStream(streamed)) assertLength(streamed);
    const response = isByteStream(streamed) ? prepareDownload(exchange, given, streamed) : given;
    valid = validateResponse(exchange, response, options.mode);
  } catch (error) {
    if (isByteStream(streamed)) closeUnopened(streamed.stream);
    throw error;
  }
  const body = valid.streamed;
  if (body === undefined) return send(exchange, valid);
  if (isByteStream(body)) return sendBytes(exchange, body, () => begin(exchange, valid, body.length));
  const { id } = operationOf(exchange);
  return sendItems(exchange, body, {
    streams: options.streams,
    begin: () => beginItems(exchange, valid),
    formatError: (error) => options.formatError(exchange, error),
    toError: (problems) => {
      if (options.mode === 'strict') return new InvalidResponseError(id, valid.status, problems);
      if (options.mode === 'log') exchange.log.error({ operation: id, status: valid.status, problems }, 'an item breaks the contract');
      return undefined;
    },
  });
}

function begin(exchange: Exchange, { status, headers, type }: ValidatedResponse, length?: number): void {
  headers.set('Content-Type', type ?? 'application/octet-stream');
  if (length !== undefined) headers.set('Content-Length', String(length));
  if (!exchange.request.complete) discardBody(exchange, headers);
  beginResponse(exchange, status, belowBase(headers, exchange.base));
}

/** What is between keeps nothing of it, and passes on each item at once (nginx reads the second field). */
function beginItems(exchange: Exchange, valid: ValidatedResponse): void {
  const { headers } = valid;
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache');
  headers.set('X-Accel-Buffering', 'no');
  begin(exchange, valid);
}
