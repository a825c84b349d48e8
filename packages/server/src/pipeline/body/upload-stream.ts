/** The body of a request as a stream: decompressed, bounded, verified, and read no faster than the handler reads it. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { FrameworkError, type Deadlines, type Timed } from '@specwright/contract/runtime';
import type { DigestVerifier } from '../../http/content-digest.ts';
import { wasReset } from '../../http/request-head.ts';
import { bodyTooLarge, ClientGoneError, notDecompressed } from './body-errors.ts';
import type { BodyLease } from './body-lease.ts';
import type { Arriving, LeastRate } from './least-rate.ts';
import { ReadOnceStream } from './read-once.ts';

/** An upload that waits for its client. */
export interface IdleUpload extends Timed {
  readonly expire: () => void;
}

export interface UploadOptions {
  readonly request: IncomingMessage;
  /** The most bytes, as they are sent and after decompression. */
  readonly maxBytes: number;
  /** What is wrong with a body that has ended with this length, if anything is. */
  readonly lengthProblem: (bytes: number) => Error | undefined;
  readonly decoder: Transform | undefined;
  readonly digest: DigestVerifier | undefined;
  /** Called when the handler begins to wait for the client, and when it has what it waits for. */
  readonly beginWaiting: () => void;
  readonly endWaiting: () => void;
  readonly idle: Deadlines<IdleUpload>;
  readonly lease: BodyLease;
  /** Refuses uploads that are too slow while other requests wait. */
  readonly arriving: Pick<LeastRate, 'add' | 'delete'>;
}

/** Fails with an AppError: body_too_large; request_timeout; invalid_request for a body that is cut off, or not as its headers say. */
export class UploadStream extends ReadOnceStream implements IdleUpload, Arriving {
  /** Those of `idle`. */
  slot = -1;
  deadline = 0;
  readonly #options: UploadOptions;
  #isOpen = false;
  #isWanted = false;
  #isWaiting = false;
  /** In bytes, as sent and as the handler gets them. */
  #received = 0;
  #delivered = 0;

  constructor(options: UploadOptions) {
    super();
    this.#options = options;
    // A handler that does not look at the body must not end the process when its client goes away.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#isWanted = true;
    if (!this.#isOpen) this.#open();
    this.#pull();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const { request, decoder } = this.#options;
    request
      .off('readable', this.#pull)
      .off('end', this.#onRequestEnd)
      .off('close', this.#onRequestClose)
      .off('error', this.#onRequestClose);
    decoder?.destroy();
    this.#options.arriving.delete(this);
    if (this.#isWaiting) this.#endWaiting();
    super._destroy(error, callback);
  }

  /** The request was answered: nobody has to wait for the rest of its body. */
  discard(): void {
    if (!this.destroyed) this.destroy(this.readableEnded ? undefined : new Error('the request was answered before its body was read'));
  }

  get receivedBytes(): number {
    return this.#received;
  }

  get isAwaited(): boolean {
    return this.#isWaiting;
  }

  get lease(): BodyLease {
    return this.#options.lease;
  }

  refuse(error: Error): void {
    this.#fail(error);
  }

  expire(): void {
    this.#fail(new FrameworkError('request_timeout', 'the body did not arrive in time'));
  }

  #open(): void {
    const { request, decoder } = this.#options;
    this.#isOpen = true;
    if (request.destroyed || wasReset(request)) return this.#fail(new ClientGoneError());
    this.#options.arriving.add(this);
    decoder
      ?.on('readable', this.#pull)
      .on('drain', this.#pull)
      .on('end', () => this.#finish())
      .on('error', (cause) => this.#fail(notDecompressed(cause)));
    request.on('readable', this.#pull).on('end', this.#onRequestEnd).on('close', this.#onRequestClose).on('error', this.#onRequestClose);
  }

  /** Hands on what has arrived, once the handler wants more. */
  readonly #pull = (): void => {
    const { decoder } = this.#options;
    if (!this.#isWanted || this.destroyed) return;
    if (decoder === undefined) {
      const bytes = this.#receive();
      return bytes === undefined ? undefined : this.#deliver(bytes);
    }
    const decoded = decoder.read() as Buffer | null;
    if (decoded !== null) return this.#deliver(decoded);
    while (!decoder.writableNeedDrain && !decoder.writableEnded) {
      const bytes = this.#receive();
      if (bytes === undefined) return;
      decoder.write(bytes);
    }
  };

  /** What has arrived; if it is nothing, the client is waited for. */
  #receive(): Buffer | undefined {
    const { request, maxBytes, digest } = this.#options;
    const bytes = request.read() as Buffer | null;
    if (bytes === null) {
      // Of a body that has arrived only its end is still to be read.
      if (!this.#isWaiting && !request.complete) this.#beginWaiting();
      return undefined;
    }
    if (this.#isWaiting) this.#endWaiting();
    this.#received += bytes.length;
    if (this.#received > maxBytes) {
      this.#fail(bodyTooLarge(maxBytes));
      return undefined;
    }
    digest?.update(bytes);
    return bytes;
  }

  #deliver(bytes: Buffer): void {
    const { maxBytes } = this.#options;
    if (this.#isWaiting) this.#endWaiting();
    this.#delivered += bytes.length;
    if (this.#delivered > maxBytes) return this.#fail(bodyTooLarge(maxBytes));
    this.#isWanted = false;
    this.push(bytes);
  }

  readonly #onRequestEnd = (): void => {
    const { decoder, request } = this.#options;
    if (wasReset(request)) this.#fail(new ClientGoneError());
    else if (decoder === undefined) this.#finish();
    else decoder.end();
  };

  readonly #onRequestClose = (): void => {
    if (!this.#options.request.readableEnded) this.#fail(new ClientGoneError());
  };

  #finish(): void {
    const { digest, lengthProblem } = this.#options;
    if (this.#isWaiting) this.#endWaiting();
    const problem = digest?.end() ?? lengthProblem(this.#delivered);
    if (problem === undefined) this.push(null);
    else this.#fail(problem);
  }

  /** The body is not what it should be: what is left of it may be endless. */
  #fail(error: Error): void {
    this.lease.isRefused = true;
    this.destroy(error);
  }

  #beginWaiting(): void {
    this.#isWaiting = true;
    this.#options.idle.start(this, performance.now());
    this.#options.beginWaiting();
  }

  #endWaiting(): void {
    this.#isWaiting = false;
    this.#options.idle.end(this);
    this.#options.endWaiting();
  }
}
