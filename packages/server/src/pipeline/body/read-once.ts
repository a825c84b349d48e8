/** Streams and items of a request, which can be read once: a second reading fails, as it would find nothing and take that for the body. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { FrameworkError } from '@specwright/contract/runtime';

/**
 * Something of the request would be read a second time: by a transaction that is run again, most often.
 *
 * @param cause why, for the log.
 */
export const cannotReadAgain = (cause: unknown = new Error('what was read of the request was asked for again')) =>
  new FrameworkError('service_unavailable', 'the request was not done, and its body cannot be read again: send it again', {
    cause,
    headers: { 'Retry-After': '1' },
  });

/** A stream that fails if it is read after its end. */
export class ReadOnceStream extends Readable {
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // One that has failed says so itself.
    if (error === null) Object.assign(this, READ);
    callback(error);
  }
}

const refuse = () => {
  throw cannotReadAgain();
};

/** What takes the place of the methods that read. */
const READ = {
  on(this: Readable, event: string | symbol, listener: (...args: unknown[]) => void) {
    return event === 'data' || event === 'readable' ? refuse() : EventEmitter.prototype.on.call(this, event, listener);
  },
  pipe: refuse,
  iterator: refuse,
  [Symbol.asyncIterator]: refuse,
};

/** Bytes that were read before, as a stream. */
export class BytesStream extends ReadOnceStream {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override _read(): void {
    if (this.#bytes.length > 0) this.push(this.#bytes);
    this.push(null);
  }
}

/** Items that fail if they are iterated after their end. */
export class ReadOnceItems<Item> implements AsyncIterableIterator<Item, undefined> {
  readonly #items: AsyncIterator<Item, unknown>;
  #isBegun = false;
  #isEnded = false;

  constructor(items: AsyncIterator<Item, unknown>) {
    this.#items = items;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  [Symbol.asyncIterator](): this {
    if (this.#isEnded) throw cannotReadAgain();
    return this;
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    this.#isBegun = true;
    const result = await this.#items.next();
    if (result.done !== true) return result;
    this.#isEnded = true;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#isBegun = this.#isEnded = true;
    await this.#items.return?.();
    return { done: true, value: undefined };
  }
}

/** Whether the handler has begun to read what of its input can be read once. */
export const isBegun = ({ body, files }: { readonly body?: unknown; readonly files?: unknown }): boolean => isRead(body) || isRead(files);

function isRead(value: unknown): boolean {
  if (value instanceof Readable) return value.readableDidRead || value.readableFlowing !== null || value.destroyed;
  return value instanceof ReadOnceItems && value.isBegun;
}

/** Has files that were stored read from their beginning by who reads them next. */
export function rewindFiles(files: unknown): void {
  if (Array.isArray(files)) for (const file of files as Partial<Rewindable>[]) file.rewind?.();
}

interface Rewindable {
  rewind(): void;
}
