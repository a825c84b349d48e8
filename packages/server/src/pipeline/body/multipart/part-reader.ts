/**
 * Reads the parts of a multipart body, one after the other, from a stream (RFC 2046, section 5.1).
 *
 * Nothing is read from the stream but what is asked for, so that a slow reader slows the client down, and nothing is kept but one chunk.
 * Libraries were looked at: busboy and its successor cut off long headers, drop malformed ones and take a truncated boundary
 * without an error; the others keep files in memory, or depend on where the chunks begin.
 */
import type { Readable } from 'node:stream';
import { parseFieldParameters } from '@specwright/contract';
import { invalidPart, parsePartHead, type PartHead } from './part-headers.ts';

const MAX_PART_HEADER_BYTES = 8 * 1024;
/** Fields and files together. */
const MAX_PARTS = 1000;
/** What is before the first part, and after the last one, means nothing (RFC 2046, section 5.1.1). */
const MAX_IGNORED_BYTES = 1024;
/** Blanks after a boundary. */
const MAX_PADDING_BYTES = 64;

const NO_BYTES = Buffer.alloc(0);
const [TAB, CR, SPACE, DASH] = [9, 13, 32, 45];
const END_OF_HEADERS = Buffer.from('\r\n\r\n');

/** @param contentType that of the body. @throws AppError invalid_request if it has no boundary as RFC 2046 has it. */
export function boundaryOf(contentType: string): string {
  const boundary = parseFieldParameters(contentType, 'backslash')?.parameters.get('boundary');
  if (boundary === undefined || !/^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/.test(boundary))
    throw invalidPart('header/Content-Type must have one boundary of 1 to 70 characters');
  return boundary;
}

/** More bytes are needed. */
const MORE = Symbol('more');
type OrMore<T> = T | typeof MORE;

/** Where the reader is. `blank` is where a part may have been left empty; `rest` is what follows the last boundary. */
type Place = 'start' | 'part' | 'boundary' | 'headers' | 'blank' | 'rest' | 'end';

/**
 * Its methods throw what its source fails with, and AppError invalid_request for what is no multipart body. They return a promise only if more
 * bytes have to be waited for.
 */
export class PartReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** What was read and is not handed on. A line break precedes each boundary, also the first one. */
  #bytes: Buffer = Buffer.from('\r\n');
  #place: Place = 'start';
  #count = 0;
  /** The bytes before the first part, or after the last one. */
  #ignored = 0;
  #head: PartHead | undefined = undefined;
  readonly #onFailure: (error: Error) => void;
  #failure: Error | undefined = undefined;
  /** Reads are done in turn: a file may still be read when the next part is asked for. */
  #turn: Promise<unknown> | undefined = undefined;
  #waiting = 0;

  /** @param onFailure is told of the first thing that is wrong with the body. */
  constructor(source: Readable, boundary: string, onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
    this.#chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Skips what is left of a part. @returns the next one; `undefined` at the end of the body, which has then been read. */
  next(): PartHead | undefined | Promise<PartHead | undefined> {
    return this.#inTurn(this.#next);
  }

  /** @returns the next bytes of the part that `next` has returned; `undefined` at its end. */
  read(): Buffer | undefined | Promise<Buffer | undefined> {
    return this.#inTurn(this.#read);
  }

  /** Something is wrong with the body: what is left of it is not read. @returns what has been wrong first. */
  fail(error: unknown): Error {
    if (this.#failure === undefined) this.#onFailure((this.#failure = error as Error));
    return this.#failure;
  }

  #inTurn<T>(take: () => OrMore<T>): T | Promise<T> {
    if (this.#waiting > 0) return (this.#turn = this.#takeLater(take, this.#turn));
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const taken = take();
      if (taken !== MORE) return taken;
    } catch (error) {
      throw this.fail(error);
    }
    const later = this.#takeLater(take, undefined);
    this.#turn = later;
    return later;
  }

  /** @param before what has to end first; without it more bytes are needed. */
  async #takeLater<T>(take: () => OrMore<T>, before: Promise<unknown> | undefined): Promise<T> {
    this.#waiting++;
    try {
      if (before === undefined) this.#fill(await this.#chunks.next());
      else await before.catch(() => undefined);
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure;
        const taken = take();
        if (taken !== MORE) return taken;
        this.#fill(await this.#chunks.next());
      }
    } catch (error) {
      throw this.fail(error);
    } finally {
      this.#waiting--;
    }
  }

  /** Goes from place to place. Called again when more bytes are there, it goes on where it was. */
  readonly #next = (): OrMore<PartHead | undefined> => {
    if (!this.#skipPart() || !this.#passBoundary()) return MORE;
    if (this.#place === 'end') return undefined;
    if (this.#place === 'rest') return this.#skipRest();
    const head = this.#headOfPart();
    return head ?? this.#next();
  };

  /** @returns whether what precedes the next boundary was skipped: what is left of a part, or what is before the first one. */
  #skipPart(): boolean {
    while (this.#place === 'start' || this.#place === 'part') {
      const bytes = this.#read();
      if (bytes === MORE) return false;
      if (this.#place === 'start') this.#ignore(bytes, 'the body does not begin with the boundary that header/Content-Type names');
    }
    return true;
  }

  /** @returns whether the boundary, if there is one here, was read. */
  #passBoundary(): boolean {
    if (this.#place !== 'boundary') return true;
    const isLast = this.#isLast();
    if (isLast === MORE) return false;
    this.#place = isLast ? 'rest' : 'headers';
    this.#ignored = 0;
    if (!isLast && ++this.#count > MAX_PARTS) throw invalidPart(`body must have at most ${MAX_PARTS} parts`);
    return true;
  }

  /** @returns `undefined` for a part where no file was chosen (HTML, section 4.10.21.4, step 5.6). */
  #headOfPart(): OrMore<PartHead | undefined> {
    if (this.#place === 'headers') {
      const headers = this.#headers();
      if (headers === MORE) return MORE;
      const head = (this.#head = parsePartHead(headers));
      this.#place = head.hasFilename && head.filename === undefined ? 'blank' : 'part';
      if (this.#place === 'part') return head;
    }
    const { length } = this.#delimiter;
    if (this.#bytes.length < length) return MORE;
    this.#place = 'part';
    return this.#bytes.compare(this.#delimiter, 0, length, 0, length) === 0 ? undefined : this.#head;
  }

  #skipRest(): typeof MORE {
    this.#ignore(this.#bytes, 'the body goes on after its last boundary');
    this.#bytes = NO_BYTES;
    return MORE;
  }

  #ignore(bytes: Buffer | undefined, problem: string): void {
    this.#ignored += bytes?.length ?? 0;
    if (this.#ignored > MAX_IGNORED_BYTES) throw invalidPart(problem);
  }

  /** The bytes up to the next boundary, in pieces. */
  readonly #read = (): OrMore<Buffer | undefined> => {
    if (this.#place !== 'part' && this.#place !== 'start') return undefined;
    const at = this.#bytes.indexOf(this.#delimiter);
    if (at === 0) {
      this.#place = 'boundary';
      return undefined;
    }
    const length = at > 0 ? at : this.#bytes.length - this.#beginningOfDelimiter();
    if (length === 0) return MORE;
    const bytes = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return bytes;
  };

  /** How many of the last bytes may belong to a boundary whose rest has not been read. */
  #beginningOfDelimiter(): number {
    const from = Math.max(0, this.#bytes.length - this.#delimiter.length + 1);
    for (let at = this.#bytes.indexOf(CR, from); at >= 0; at = this.#bytes.indexOf(CR, at + 1)) {
      const length = this.#bytes.length - at;
      if (this.#bytes.compare(this.#delimiter, 0, length, at) === 0) return length;
    }
    return 0;
  }

  /** Consumes a boundary. @returns whether it is the one that ends the body. */
  #isLast(): OrMore<boolean> {
    let at = this.#delimiter.length;
    const maxEnd = at + MAX_PADDING_BYTES;
    const bytes = this.#bytes;
    if (bytes[at] === DASH && bytes[at + 1] === DASH) {
      this.#bytes = bytes.subarray(at + 2);
      return true;
    }
    while (at <= maxEnd && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
    if (bytes.length < at + 2 && at <= maxEnd) return MORE;
    if (bytes.toString('latin1', at, at + 2) !== '\r\n')
      throw invalidPart('a boundary of the body is followed by neither a line break nor --');
    // The line break stays: headers end with two, and a part may have none.
    this.#bytes = bytes.subarray(at);
    return false;
  }

  #headers(): OrMore<Buffer> {
    const end = this.#bytes.indexOf(END_OF_HEADERS);
    if (end > MAX_PART_HEADER_BYTES || (end < 0 && this.#bytes.length > MAX_PART_HEADER_BYTES))
      throw invalidPart(`the header fields of a part are larger than ${MAX_PART_HEADER_BYTES} bytes`);
    if (end < 0) return MORE;
    const bytes = this.#bytes.subarray(2, Math.max(2, end));
    this.#bytes = this.#bytes.subarray(end + END_OF_HEADERS.length);
    return bytes;
  }

  #fill(chunk: IteratorResult<Buffer, unknown>): void {
    if (chunk.done !== true) this.#bytes = this.#bytes.length === 0 ? chunk.value : Buffer.concat([this.#bytes, chunk.value]);
    else if (this.#place === 'rest') this.#place = 'end';
    else throw invalidPart('the body ends before its last boundary');
  }
}
