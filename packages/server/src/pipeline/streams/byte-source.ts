/** Sources of bytes as streams of Node, and streams that check their length. */
import { Readable, Transform, type TransformCallback } from 'node:stream';
import type { ByteSource, ByteStream } from '@specwright/contract';

export function toReadable(source: ByteSource): Readable {
  if (source instanceof Readable) return source;
  if ('getReader' in source) return Readable.fromWeb(source);
  return Readable.from(source, { objectMode: false });
}

/** Closes bytes that nobody gets. A function has not opened any. */
export function closeUnopened(stream: ByteStream['stream']): void {
  if (typeof stream === 'function') return;
  if ('destroy' in stream) stream.destroy();
  else if ('cancel' in stream) void stream.cancel().catch(() => undefined);
}

/** Resolves when a stream has its first bytes, or its end. @throws what opening it has failed with. */
export function waitUntilReadable(stream: Readable): Promise<void> {
  if (stream.readableLength > 0 || stream.readableEnded) return Promise.resolve();
  if (stream.errored !== null) return Promise.reject(stream.errored);
  return new Promise((resolve, reject) => {
    const done = (error?: Error) => {
      stream.off('readable', onReady).off('end', onReady).off('close', onReady).off('error', done);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onReady = () => done();
    stream.on('readable', onReady).on('end', onReady).on('close', onReady).on('error', done);
  });
}

/**
 * Passes bytes on, and fails if they are not as many as was said. The last ones wait for the end: with them the client would take what it has for
 * whole.
 */
export class ExactLength extends Transform {
  readonly #length: number;
  #passed = 0;
  #last: Buffer | undefined = undefined;

  /** @param length in bytes. */
  constructor(length: number) {
    super();
    this.#length = length;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#passed += chunk.length;
    if (this.#passed > this.#length) return callback(new Error(`the stream has more than the ${this.#length} bytes that its length says`));
    if (this.#passed < this.#length) return callback(null, chunk);
    this.#last ??= chunk;
    callback();
  }

  override _flush(callback: TransformCallback): void {
    const isWhole = this.#passed === this.#length;
    if (isWhole) callback(null, this.#last);
    else callback(new Error(`the stream has ended after ${this.#passed} of the ${this.#length} bytes that its length says`));
  }
}
