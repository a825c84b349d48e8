/** A body that middleware has read before the pipeline, such as `express.json()` of the application that the handler is mounted in. */
import { bodyKind } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import type { Exchange } from '../exchange.ts';

/**
 * The bytes of a body that was read already: those that a parser has kept (`req.rawBody`, `express.raw()`, `express.text()`), else those of the JSON
 * value that it has made.
 *
 * A parsed value no longer shows properties that were given twice, or numbers that were rounded: the second is refused.
 *
 * @param type the media type as the contract has it. @throws AppError invalid_request for a number that may have been rounded; Error for
 *   a body that cannot be had again.
 */
export function bytesOfParsedBody(exchange: Exchange, type: string): Buffer {
  const kept = keptBytes(exchange, type);
  if (kept !== undefined) return kept;
  const { body } = exchange.request as ReadRequest;
  if (body === undefined || bodyKind(type) !== 'json')
    throw new Error(`the body of ${type} was read before the contract's handler: give app.use the handler before what parses bodies`);
  return Buffer.from(JSON.stringify(body, refuseRounded));
}

interface ReadRequest {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/** What a parser has kept. A string in `body` may be a JSON value or its text, so it is neither. */
function keptBytes({ request }: Exchange, type: string): Buffer | undefined {
  const { body, rawBody } = request as ReadRequest;
  for (const kept of [rawBody, body]) {
    if (Buffer.isBuffer(kept)) return kept;
    if (typeof kept === 'string' && (kept === rawBody || bodyKind(type) !== 'json')) return Buffer.from(kept);
  }
  return undefined;
}

/** A number beyond all others was made infinite, which JSON cannot say. */
function refuseRounded(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value)))
    throw new FrameworkError('invalid_request', `body: the number at ${name} is too large to have been read exactly by middleware`);
  return value;
}

const WARNING =
  'the body was parsed before the contract has seen it, so properties that are given twice are not noticed: ' +
  'give app.use the handler before express.json()';

/** What is known of such bodies of a service. */
export interface ParsedBodies {
  isWarned: boolean;
}

/** Says once, at the first such request, what is lost. */
export function warnOfParsedBody(exchange: Exchange, bodies: ParsedBodies): void {
  if (bodies.isWarned || keptBytes(exchange, exchange.type ?? '') !== undefined) return;
  bodies.isWarned = true;
  exchange.log.warn({ operation: exchange.operation?.id }, WARNING);
}
