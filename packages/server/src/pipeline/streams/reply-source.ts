/** What a handler returns as bytes or items: opened once at most, and closed once, whether anybody gets it or not. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type ByteSource, type ByteStream, isByteStream, isThenable, type StreamedBody } from '@specwright/contract';

type Items = AsyncIterable<unknown> | Iterable<unknown>;
export type ItemIterator = AsyncIterator<unknown> | Iterator<unknown>;

export class ReplySource {
  /** Whether the response goes on after the steps: what it is made of is released when it is closed. */
  isStreaming = false;
  readonly #given: ByteStream['stream'] | Items;
  /** Is told what closing fails with. */
  readonly #report: (error: unknown) => void;
  #opened: Readable | ItemIterator | undefined = undefined;
  #isClosed = false;
  #isClosing = false;
  readonly #closed: Promise<void>;
  #resolveClosed: () => void = () => undefined;

  constructor(streamed: StreamedBody, report: (error: unknown) => void) {
    this.#given = isByteStream(streamed) ? streamed.stream : streamed.items;
    this.#report = report;
    this.#closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    if (isNodeStream(this.#given)) this.#listen(this.#given);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a stream was closed that had neither ended nor failed: what it fails with now is reported here. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Resolves when it is closed. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /**
   * Opens the bytes.
   *
   * @param open what the handler gave, or what opens a part of it. @returns `undefined` if it was closed meanwhile. @throws what opening fails with.
   */
  async openBytes(open: ByteStream['stream']): Promise<Readable | undefined> {
    const source = typeof open === 'function' ? await open() : open;
    if (isNodeStream(source)) this.#listen(source);
    if (this.#isClosed) {
      if (source !== this.#given) this.#close(source);
      return undefined;
    }
    const opened = toReadable(source);
    if (opened !== source) this.#listen(opened);
    this.#opened = opened;
    return opened;
  }

  /** Opens the items. */
  openItems(): ItemIterator {
    this.#opened = NO_ITEMS;
    return (this.#opened = iteratorOf(this.#given as Items));
  }

  /** Closes what is open, also while something of it is waited for. A function that nobody has called has opened nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#resolveClosed();
    const given = this.#given;
    // The iterator of a stream ends only when the stream does: it may be waiting for it.
    if (isNodeStream(given)) this.#close(given);
    else if (this.#opened !== undefined) this.#close(this.#opened);
    else if (typeof given !== 'function') this.#close(given);
  }

  #close(source: ByteSource | Items | ItemIterator): void {
    if (isNodeStream(source) && !source.destroyed) this.#isClosing = true;
    try {
      const pending = closeSource(source);
      if (isThenable(pending)) Promise.resolve(pending).catch((error: unknown) => this.#failToClose(error));
    } catch (error) {
      this.#failToClose(error);
    }
  }

  /** Without a listener an error ends the process: one that comes before somebody reads, or from closing. */
  #listen(stream: Readable): void {
    stream.on('error', (error) => {
      if (this.#isClosing) this.#failToClose(error);
    });
  }

  /** What ends because its client is gone has ended as it should. */
  #failToClose(error: unknown): void {
    if ((error as Partial<Error> | undefined)?.name !== 'AbortError') this.#report(error);
  }
}

const NO_ITEMS: ItemIterator = { next: () => ({ done: true, value: undefined }) };

const isNodeStream = (source: unknown): source is Readable =>
  source instanceof Readable || (typeof source === 'object' && source !== null && 'destroy' in source && 'pipe' in source);

const isWebStream = (source: object): source is ReadableStream => 'getReader' in source;

/** Sources of bytes as streams of Node. */
function toReadable(source: ByteSource): Readable {
  if (isNodeStream(source)) return source;
  if (isWebStream(source)) return Readable.fromWeb(source);
  return Readable.from(source, { objectMode: false });
}

/** A web stream is read by a reader, because its own iterator is closed only after the item that it waits for. */
function iteratorOf(items: Items): ItemIterator {
  if (!isWebStream(items)) return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const reader = items.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<unknown>>,
    return: () => reader.cancel().then(() => ({ done: true, value: undefined })),
  };
}

/** @returns a promise if closing takes time. @throws what closing fails with. */
function closeSource(source: ByteSource | Items | ItemIterator): unknown {
  if (isNodeStream(source)) return void source.destroy();
  if (isWebStream(source)) return source.cancel();
  if ('next' in source && typeof source.next === 'function') return source.return?.();
  return iteratorOf(source as Items).return?.();
}
