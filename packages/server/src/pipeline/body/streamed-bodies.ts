/** Bodies that are not read before the handler is called, or not as a whole: streams, items and multipart. Loaded where an operation has one. */
import { hash } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { bodyKind, type ContractOperation } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import { DigestVerifier, parseContentDigest } from '../../http/content-digest.ts';
import type { WatchCaller } from '../authentication/caller-watch.ts';
import { incomingOf, type Exchange, type Sets } from '../exchange.ts';
import { bodyRequired, bodyTooLarge } from './body-errors.ts';
import type { BodyOptions, ParsedBody } from './body-options.ts';
import { readItems } from './item-body.ts';
import { MAX_FIELDS_BYTES, type MultipartOptions, noFiles, readMultipart } from './multipart/read-multipart.ts';
import type { ContentCodingName } from './read-body.ts';
import { BytesStream, ReadOnceItems } from './read-once.ts';
import { UploadStream } from './upload-stream.ts';

/** What a stream takes of the budget, in bytes: what Node buffers of the socket, the request and the stream. */
const STREAM_BYTES = 192 * 1024;

export interface StreamedBodyOptions extends BodyOptions {
  /** The most bytes of a body, after decompression. */
  readonly maxBytes: number;
  readonly watchCaller: WatchCaller;
}

/** What is known at boot of the bodies of one media type. */
interface StreamedType {
  /** What one takes of the budget, in bytes: the stream, and the longest item. */
  readonly heldBytes: number;
  /** Of the body as it is sent: by its schema. */
  readonly maxLength: number;
  readonly maxBytes: number;
  /** What is wrong with a body that has ended with this length, if anything is. */
  readonly lengthProblem: (bytes: number) => Error | undefined;
  /** A retry is compared with its first request by the digest of what the handler is given before it was read. */
  readonly needsDigest: boolean;
  readonly multipart: MultipartOptions | undefined;
}

export class StreamedBodies {
  readonly #operation: ContractOperation;
  readonly #options: StreamedBodyOptions;
  readonly #types: ReadonlyMap<string, StreamedType>;

  constructor(operation: ContractOperation, options: StreamedBodyOptions) {
    const { body, itemTypes, multipart: parts } = operation;
    const { maxBytes, budget, spoolBudget } = options;
    const multipart = parts && { parts, maxFieldsBytes: Math.min(maxBytes, MAX_FIELDS_BYTES), budget, spoolBudget, maxBytes };
    const streamed = new Set([...(body?.streams ?? []), ...itemTypes]);
    const types = (body?.types ?? []).filter((type) => streamed.has(type) || bodyKind(type) === 'multipart');
    this.#operation = operation;
    this.#options = options;
    this.#types = new Map(types.map((type) => [type, this.#declare(type, streamed.has(type) ? undefined : multipart)]));
  }

  has(type: string): boolean {
    return this.#types.has(type);
  }

  /** A body that is absent or of another type has no files. */
  begin(exchange: Sets<'incoming'>): void {
    const { multipart } = this.#operation;
    if (multipart !== undefined && multipart.files.size > 0) incomingOf(exchange).files = noFiles(multipart);
  }

  /**
   * Opens a body whose client is kept from holding what others wait for.
   *
   * @returns a promise if the budget has no room for it, or if it has parts. @throws AppError invalid_request; service_unavailable, by the promise.
   */
  open(exchange: Sets<ParsedBody>, type: string, coding: ContentCodingName | undefined): void | Promise<void> {
    const { budget, watchCaller } = this.#options;
    const declared = this.#types.get(type) as StreamedType;
    const upload = this.#createUpload(exchange, declared, coding);
    const { lease } = upload;
    const incoming = Object.assign(incomingOf(exchange), { stream: upload, lease });
    // It is verified by this header.
    if (declared.needsDigest) incoming.digest = String(exchange.request.headers['content-digest']);
    exchange.onRelease('work', () => upload.discard());
    const unwatch = watchCaller(exchange, (error) => upload.refuse(error));
    // Also of a handler that never ends.
    upload.once('close', () => {
      unwatch();
      budget.release(lease);
    });
    const pending = budget.acquire(lease, declared.heldBytes);
    if (declared.multipart === undefined) exchange.body = this.#bodyOf(exchange, type, upload);
    return pending === undefined ? this.#begin(exchange, declared, upload) : pending.then(() => this.#begin(exchange, declared, upload));
  }

  /** A body that was read before. */
  openBytes(exchange: Sets<ParsedBody>, type: string, bytes: Buffer): void | Promise<void> {
    const { multipart, needsDigest } = this.#types.get(type) as StreamedType;
    if (needsDigest) incomingOf(exchange).digest = hash('sha256', bytes);
    if (multipart !== undefined) return readMultipart(exchange, Readable.from([bytes]), multipart);
    exchange.body = this.#bodyOf(exchange, type, new BytesStream(bytes));
  }

  #declare(type: string, multipart: MultipartOptions | undefined): StreamedType {
    const { body, acceptsIdempotencyKey, itemTypes, streamLengths } = this.#operation;
    const { maxBytes, maxBodyBytes } = this.#options;
    const { minLength, maxLength } = streamLengths(type);
    const isHandedOn = multipart === undefined || (multipart.parts.files.size > 0 && !multipart.parts.isSpooled);
    return {
      heldBytes: STREAM_BYTES + (itemTypes.includes(type) ? maxBodyBytes : 0),
      maxLength,
      maxBytes: Math.min(maxBytes, maxLength),
      lengthProblem: (bytes) => {
        if (bytes === 0 && body?.required === true) return bodyRequired();
        return bytes < minLength ? new FrameworkError('invalid_request', `body must have at least ${minLength} bytes`) : undefined;
      },
      needsDigest: isHandedOn && acceptsIdempotencyKey,
      multipart,
    };
  }

  #createUpload(
    exchange: Exchange,
    { heldBytes, maxLength, maxBytes, lengthProblem, needsDigest }: StreamedType,
    coding: ContentCodingName | undefined,
  ): UploadStream {
    const { budget, idle, lifecycle } = this.#options;
    const { request, service } = exchange;
    const digest = digestOf(exchange, needsDigest);
    if (Number(request.headers['content-length'] ?? 0) > maxLength) throw bodyTooLarge(maxLength);
    return new UploadStream({
      request,
      maxBytes,
      lengthProblem,
      decoder: coding && DECODERS[coding](),
      digest,
      beginWaiting: () => lifecycle.awaitClient(exchange),
      endWaiting: () => lifecycle.resume(exchange),
      idle,
      lease: budget.open(heldBytes, service.bucketOf(exchange)),
      arriving: budget.arriving,
    });
  }

  /** There is room for it. */
  #begin(exchange: Sets<ParsedBody>, { heldBytes, multipart }: StreamedType, upload: UploadStream): void | Promise<void> {
    this.#options.budget.complete(upload.lease, heldBytes);
    return multipart && readMultipart(exchange, upload, multipart);
  }

  /** A stream as the handler gets it: its bytes, or its items. */
  #bodyOf(exchange: Sets<'incoming'>, type: string, source: Readable): unknown {
    const validator = this.#operation.itemsOf(type);
    if (validator === undefined) return source;
    const { lifecycle, maxBodyBytes } = this.#options;
    const onRefusal = (error: Error) => (incomingOf(exchange).error = error);
    return new ReadOnceItems(
      readItems(source, { validator, maxItemBytes: maxBodyBytes, onNext: () => lifecycle.renew(exchange), onRefusal }),
    );
  }
}

const DECODERS: Readonly<Record<ContentCodingName, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What the body is to be verified by, if the request says so. @throws AppError invalid_request if a retry would need it. */
function digestOf({ request: { headers } }: Exchange, isNeeded: boolean): DigestVerifier | undefined {
  const field = headers['content-digest'];
  const digests = field === undefined ? undefined : parseContentDigest(String(field));
  if (digests !== undefined && digests.size > 0) return new DigestVerifier(digests);
  if (isNeeded && headers['idempotency-key'] !== undefined)
    throw new FrameworkError('invalid_request', 'header/Content-Digest must have sha-256 or sha-512 with an Idempotency-Key');
  return undefined;
}
