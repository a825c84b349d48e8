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

/** Its methods throw what its source fails with, and AppError invalid_request for what is no multipart body. */
export class PartReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** What was read and is not handed on. A line break precedes each boundary, also the first one. */
  #bytes: Buffer = Buffer.from('\r\n');
  /** Where the reader is: before all parts, in one, at its end, or after the last one. */
  #place: 'start' | 'part' | 'boundary' | 'end' = 'start';
  #count = 0;
  readonly #onFailure: (error: Error) => void;
  #failure: Error | undefined = undefined;
  /** Reads are done in turn: a file may still be read when the next part is asked for. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param onFailure is told of the first thing that is wrong with the body. */
  constructor(source: Readable, boundary: string, onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
    this.#chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Skips what is left of a part. @returns the next one; `undefined` at the end of the body, which has then been read. */
  next(): Promise<PartHead | undefined> {
    return this.#inTurn(() => this.#next());
  }

  /** @returns the next bytes of the part that `next` has returned; `undefined` at its end. */
  read(): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#read());
  }

  /** Something is wrong with the body: what is left of it is not read. @returns what has been wrong first. */
  fail(error: unknown): Error {
    if (this.#failure === undefined) this.#onFailure((this.#failure = error as Error));
    return this.#failure;
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        return await run();
      } catch (error) {
        throw this.fail(error);
      }
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #next(): Promise<PartHead | undefined> {
    if (this.#place === 'end') return undefined;
    if (this.#place === 'start') {
      this.#place = 'part';
      await this.#skip(MAX_IGNORED_BYTES, 'the body does not begin with the boundary that header/Content-Type names');
    } else await this.#skip(Infinity, '');
    if (await this.#isLast()) {
      this.#place = 'end';
      await this.#skipRest();
      return undefined;
    }
    if (++this.#count > MAX_PARTS) throw invalidPart(`body must have at most ${MAX_PARTS} parts`);
    const head = parsePartHead(await this.#headers());
    this.#place = 'part';
    // Where no file was chosen (HTML, section 4.10.21.4, step 5.6).
    const isLeftEmpty = head.hasFilename && head.filename === undefined && (await this.#isEmpty());
    return isLeftEmpty ? this.#next() : head;
  }

  /** Whether the part that has begun has no bytes. */
  async #isEmpty(): Promise<boolean> {
    const { length } = this.#delimiter;
    await this.#has(length);
    return this.#bytes.compare(this.#delimiter, 0, length, 0, length) === 0;
  }

  /** The bytes up to the next boundary, in pieces. */
  async #read(): Promise<Buffer | undefined> {
    while (this.#place === 'part') {
      const at = this.#bytes.indexOf(this.#delimiter);
      if (at >= 0) {
        const bytes = this.#bytes.subarray(0, at);
        this.#bytes = this.#bytes.subarray(at);
        this.#place = 'boundary';
        return at > 0 ? bytes : undefined;
      }
      const length = this.#bytes.length - this.#beginningOfDelimiter();
      if (length > 0) {
        const bytes = this.#bytes.subarray(0, length);
        this.#bytes = this.#bytes.subarray(length);
        return bytes;
      }
      await this.#fill();
    }
    return undefined;
  }

  /** How many of the last bytes may belong to a boundary whose rest has not been read. */
  #beginningOfDelimiter(): number {
    const from = Math.max(0, this.#bytes.length - this.#delimiter.length + 1);
    for (let at = this.#bytes.indexOf(CR, from); at >= 0; at = this.#bytes.indexOf(CR, at + 1)) {
      const length = this.#bytes.length - at;
      if (this.#bytes.compare(this.#delimiter, 0, length, at) === 0) return length;
    }
    return 0;
  }

  async #skip(maxBytes: number, problem: string): Promise<void> {
    let count = 0;
    for (let bytes = await this.#read(); bytes !== undefined; bytes = await this.#read()) {
      count += bytes.length;
      if (count > maxBytes) throw invalidPart(problem);
    }
  }

  /** Consumes a boundary. @returns whether it is the one that ends the body. */
  async #isLast(): Promise<boolean> {
    const { length } = this.#delimiter;
    await this.#has(length + 2);
    let at = length;
    if (this.#bytes[at] === DASH && this.#bytes[at + 1] === DASH) {
      this.#bytes = this.#bytes.subarray(at + 2);
      return true;
    }
    while (this.#bytes[at] === SPACE || this.#bytes[at] === TAB) {
      if (++at > length + MAX_PADDING_BYTES) break;
      await this.#has(at + 2);
    }
    if (this.#bytes.toString('latin1', at, at + 2) !== '\r\n')
      throw invalidPart('a boundary of the body is followed by neither a line break nor --');
    // The line break stays: headers end with two, and a part may have none.
    this.#bytes = this.#bytes.subarray(at);
    return false;
  }

  async #headers(): Promise<Buffer> {
    for (;;) {
      const end = this.#bytes.indexOf(END_OF_HEADERS);
      if (end > MAX_PART_HEADER_BYTES || (end < 0 && this.#bytes.length > MAX_PART_HEADER_BYTES))
        throw invalidPart(`the header fields of a part are larger than ${MAX_PART_HEADER_BYTES} bytes`);
      if (end >= 0) {
        const bytes = this.#bytes.subarray(2, Math.max(2, end));
        this.#bytes = this.#bytes.subarray(end + END_OF_HEADERS.length);
        return bytes;
      }
      await this.#fill();
    }
  }

  async #skipRest(): Promise<void> {
    let count = this.#bytes.length;
    this.#bytes = NO_BYTES;
    for (;;) {
      if (count > MAX_IGNORED_BYTES) throw invalidPart('the body goes on after its last boundary');
      const chunk = await this.#chunks.next();
      if (chunk.done === true) return;
      count += chunk.value.length;
    }
  }

  async #has(length: number): Promise<void> {
    while (this.#bytes.length < length) await this.#fill();
  }

  async #fill(): Promise<void> {
    const chunk = await this.#chunks.next();
    if (chunk.done === true) throw invalidPart('the body ends before its last boundary');
    this.#bytes = this.#bytes.length === 0 ? chunk.value : Buffer.concat([this.#bytes, chunk.value]);
  }
}
