/** The body of a request as its items: each is read, parsed and validated when the handler asks for it. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { RequestItemValidator } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import { invalidRequest } from '../validate-request.ts';
import { parseJson } from './decode-body.ts';

const LINE_FEED = 0x0a;
/** Before each item of a JSON text sequence (RFC 7464, section 2.2). */
const RECORD_SEPARATOR = 0x1e;

export interface ItemBodyOptions {
  readonly validator: RequestItemValidator;
  readonly maxItemBytes: number;
  readonly onNext: () => void;
  readonly onRefusal: (error: Error) => void;
}

/**
 * The items of a body.
 *
 * An item that is none ends the body: the iterator throws the AppError that answers the request, with the location of the item, `body/3`.
 *
 * @param source is not read before the first item is asked for, and destroyed with the iterator.
 * @throws AppError invalid_json; invalid_request; body_too_large; and what `source` fails with.
 */
export async function* readItems(source: Readable, options: ItemBodyOptions): AsyncGenerator {
  const { validator, maxItemBytes, onNext, onRefusal } = options;
  const isRecords = validator.sequence === 'records';
  const splitter = new Splitter(isRecords ? RECORD_SEPARATOR : LINE_FEED, maxItemBytes);
  let count = 0;
  let isFirst = true;
  /** @returns `undefined` for what has no item in it, such as an empty line. */
  const read = (bytes: Buffer | undefined): { readonly item: unknown } | undefined => {
    const location = `body/${count}`;
    if (bytes === undefined)
      throw new FrameworkError('body_too_large', `${location} is larger than ${maxItemBytes} bytes, the bound of an item (MAX_BODY_BYTES)`);
    if (!isUtf8(bytes)) throw new FrameworkError('invalid_json', `${location} is not UTF-8`);
    // A byte order mark is ignored (RFC 8259, section 8.1).
    const text = isFirst ? bytes.toString().replace(/^\uFEFF/, '') : bytes.toString();
    const isBeforeFirst = isRecords && isFirst;
    isFirst = false;
    if (/^[ \t\r\n]*$/.test(text)) return undefined;
    if (isBeforeFirst) throw new FrameworkError('invalid_json', `${location} has no record separator before it (RFC 7464)`);
    // Of what is cut off, only these would be taken for whole (RFC 7464, section 2.4).
    if (isRecords && /^[ \t\r\n]*[-\dtfn]/.test(text) && !/[ \t\r\n]$/.test(text))
      throw new FrameworkError('invalid_json', `${location} is cut off`);
    const value = parseJson(text, validator.isBigIntegerAt, location);
    const { item, problems } = validator.validateItem(value, location);
    if (problems.length > 0) throw invalidRequest(problems);
    count++;
    return { item };
  };
  const readOrEnd = (bytes: Buffer | undefined) => {
    try {
      return read(bytes);
    } catch (error) {
      source.destroy(error as Error);
      onRefusal(error as Error);
      throw error;
    }
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (const bytes of splitter.push(chunk)) {
      const found = readOrEnd(bytes);
      if (found === undefined) continue;
      yield found.item;
      onNext();
    }
  }
  const last = readOrEnd(splitter.end());
  if (last !== undefined) yield last.item;
}

class Splitter {
  readonly #delimiter: number;
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(delimiter: number, maxBytes: number) {
    this.#delimiter = delimiter;
    this.#maxBytes = maxBytes;
  }

  /** The parts that end in this chunk; `undefined` for one that is too long, which is not kept. */
  *push(chunk: Buffer): Generator<Buffer | undefined> {
    let start = 0;
    for (let end = chunk.indexOf(this.#delimiter); end >= 0; end = chunk.indexOf(this.#delimiter, start)) {
      yield this.#add(chunk.subarray(start, end)) ? this.end() : undefined;
      start = end + 1;
    }
    if (!this.#add(chunk.subarray(start))) yield undefined;
  }

  end(): Buffer {
    const [first = Buffer.alloc(0)] = this.#pending;
    const bytes = this.#pending.length > 1 ? Buffer.concat(this.#pending, this.#pendingBytes) : first;
    this.#pending = [];
    this.#pendingBytes = 0;
    return bytes;
  }

  #add(bytes: Buffer): boolean {
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > this.#maxBytes) return false;
    if (bytes.length > 0) this.#pending.push(bytes);
    return true;
  }
}
