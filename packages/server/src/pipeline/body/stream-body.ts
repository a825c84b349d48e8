/** Gives the handler of an operation with `x-stream` the body as a stream, and keeps its client from holding what others wait for. */
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ContractOperation } from '@specwright/contract';
import { FrameworkError, Deadlines } from '@specwright/contract/runtime';
import { DigestVerifier, parseContentDigest, type Digests } from '../../http/content-digest.ts';
import { incomingOf, type Exchange, type Sets } from '../exchange.ts';
import type { ExchangeLifecycle } from '../exchange-lifecycle.ts';
import type { BodyBudget } from './body-budget.ts';
import { bodyRequired, bodyTooLarge } from './body-errors.ts';
import { type ContentCodingName, openLease } from './read-body.ts';
import { UPLOAD_IDLE_MS, UploadStream } from './upload-stream.ts';

/** What a stream takes of the budget, in bytes: what Node buffers of the socket, the request and the stream. */
const STREAM_BYTES = 192 * 1024;

interface StreamedRequestBody {
  readonly type: string;
  readonly maxBytes: number;
  readonly coding: ContentCodingName | undefined;
  /** Whether the handler is called before the body was read. */
  readonly isHandedOn: boolean;
  /** What is held of it beside the stream, in bytes: the longest item. */
  readonly heldBytes?: number;
}

export interface BodyStreams {
  /** @returns a promise if the budget has no room for it. @throws AppError invalid_request; service_unavailable, by the promise. */
  readonly open: (exchange: Sets<'incoming'>, operation: ContractOperation, body: StreamedRequestBody) => void | Promise<void>;
}

export function createBodyStreams(
  budget: BodyBudget,
  lifecycle: Pick<ExchangeLifecycle, 'awaitClient' | 'resume'>,
  idleMs: number = UPLOAD_IDLE_MS,
): BodyStreams {
  const idle = new Deadlines<UploadStream>(idleMs, (upload) => upload.expire());
  return {
    open(exchange, operation, { type, maxBytes, coding, isHandedOn, heldBytes = 0 }) {
      const { minLength, maxLength } = operation.streamLengths(type);
      const digests = digestsOf(exchange, isHandedOn && operation.acceptsIdempotencyKey);
      const isRequired = operation.body?.required === true;
      const bytes = STREAM_BYTES + heldBytes;
      const lease = openLease(exchange, budget, bytes);
      const upload = new UploadStream({
        request: exchange.request,
        maxBytes: Math.min(maxBytes, maxLength),
        lengthProblem: (bytes) => {
          if (bytes === 0 && isRequired) return bodyRequired();
          return bytes < minLength ? new FrameworkError('invalid_request', `body must have at least ${minLength} bytes`) : undefined;
        },
        decoder: coding && DECODERS[coding](),
        digest: digests.size > 0 ? new DigestVerifier(digests) : undefined,
        beginWaiting: () => lifecycle.awaitClient(exchange),
        endWaiting: () => lifecycle.resume(exchange),
        idle,
        lease,
        arriving: budget.arriving,
      });
      incomingOf(exchange).stream = upload;
      if (Number(exchange.request.headers['content-length'] ?? 0) > maxLength) throw bodyTooLarge(maxLength);
      exchange.onRelease('work', () => upload.discard());
      const unwatch = exchange.service.callers.watch(exchange, (error) => upload.refuse(error));
      // Also of a handler that never ends.
      upload.once('close', () => {
        unwatch();
        budget.release(lease);
      });
      const pending = budget.acquire(lease, bytes);
      if (pending === undefined) return budget.complete(lease, bytes);
      return pending.then(() => budget.complete(lease, bytes));
    },
  };
}

const DECODERS: Readonly<Record<ContentCodingName, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What the body is to be verified by. A retry is compared with its first request by it, so that one must have it. */
function digestsOf({ request: { headers } }: Exchange, acceptsIdempotencyKey: boolean): Digests {
  const digests = parseContentDigest(String(headers['content-digest'] ?? ''));
  if (digests.size === 0 && acceptsIdempotencyKey && headers['idempotency-key'] !== undefined)
    throw new FrameworkError('invalid_request', 'header/Content-Digest must have sha-256 or sha-512 with an Idempotency-Key');
  return digests;
}
