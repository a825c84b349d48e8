/** Reads text line by line, and many lines at once, from pieces of any size. */

const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);

export class LineReader {
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #buffer: Buffer = EMPTY;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /**
   * The next line, without its end; `undefined` at the end of the text.
   *
   * @param maxBytes a line that is longer is cut there.
   */
  async next(maxBytes = Infinity): Promise<string | undefined> {
    let end = this.#buffer.indexOf(NEWLINE);
    while (end < 0 && this.#buffer.length < maxBytes) {
      if (!(await this.#more())) break;
      end = this.#buffer.indexOf(NEWLINE);
    }
    if (this.#buffer.length === 0) return undefined;
    const length = Math.min(end < 0 ? this.#buffer.length : end, maxBytes);
    const line = this.#buffer.toString('utf8', 0, length);
    this.#buffer = this.#buffer.subarray(length + 1);
    return line;
  }

  /** The text before a line that is `last`, in pieces of any size. @throws Error if it ends before that line. */
  async *until(last: string): AsyncGenerator<Buffer> {
    const end = Buffer.from(`${last}\n`);
    const inside = Buffer.concat([Buffer.from('\n'), end]);
    let atLineStart = true;
    for (;;) {
      const isFirst = atLineStart && this.#buffer.subarray(0, end.length).equals(end);
      const found = isFirst ? 0 : this.#buffer.indexOf(inside) + 1;
      if (isFirst || found > 0) {
        if (found > 0) yield this.#buffer.subarray(0, found);
        this.#buffer = this.#buffer.subarray(found + end.length);
        return;
      }
      // What follows the last line end may be the beginning of `last`. A long line is passed on in parts.
      const rest = this.#buffer.lastIndexOf(NEWLINE) + 1;
      const mayBeLast: boolean = (rest > 0 || atLineStart) && this.#buffer.length - rest < end.length;
      const length = mayBeLast ? rest : this.#buffer.length;
      if (length > 0) {
        atLineStart = mayBeLast;
        yield this.#buffer.subarray(0, length);
        this.#buffer = this.#buffer.subarray(length);
      }
      if (!(await this.#more())) throw new Error('unexpected end of file');
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
    return true;
  }
}
