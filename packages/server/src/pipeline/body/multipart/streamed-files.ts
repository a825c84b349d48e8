/** Files that are handed to the handler as they arrive. */
import { Readable } from 'node:stream';
import type { FileRule, StreamedFiles, UploadedFile } from '@specwright/contract';
import { DEFAULT_FILE_TYPE, FileLength, type FileRules } from './file-rules.ts';
import { invalidPart, type PartHead } from './part-headers.ts';
import type { PartReader } from './part-reader.ts';

/**
 * The files of a body from `first` on, once.
 *
 * @param first the part that was read last, a file; `undefined` if there is none.
 * @returns an iterable that throws AppErrors: invalid_request for a part that the contract does not allow, or that is missing at the end.
 */
export function streamFiles(reader: PartReader, rules: FileRules, first: PartHead | undefined): StreamedFiles {
  const files = iterate(reader, rules, first);
  return { [Symbol.asyncIterator]: () => files };
}

async function* iterate(reader: PartReader, rules: FileRules, first: PartHead | undefined): AsyncGenerator<UploadedFile, void> {
  const check = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw reader.fail(error);
    }
  };
  for (let head = first; head !== undefined; head = await reader.next()) {
    const part = head;
    const rule = check(() => ruleOf(rules, part));
    const stream = new FileStream(reader, head.name, rule);
    yield { name: head.name, filename: head.filename, type: head.type ?? DEFAULT_FILE_TYPE, headers: head.headers, stream };
    stream.leave();
  }
  check(() => rules.end());
}

/** @throws AppError invalid_request for a part that may not be here. */
function ruleOf(rules: FileRules, head: PartHead): FileRule {
  if (rules.isFile(head)) return rules.begin(head);
  const why = 'what follows a file is read after the handler was called';
  throw invalidPart(`body/${head.name} comes after a file: send fields before files, since ${why}`);
}

/** One file. It reads from the request when it is read. */
class FileStream extends Readable {
  readonly #reader: PartReader;
  readonly #length: FileLength;

  constructor(reader: PartReader, name: string, rule: FileRule) {
    super();
    this.#reader = reader;
    this.#length = new FileLength(name, rule);
    // A handler that does not look at the file must not end the process when its client goes away.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#pull().catch((error: unknown) => this.destroy(this.#reader.fail(error)));
  }

  leave(): void {
    if (!this.readableEnded && !this.destroyed) this.destroy(new Error('the next file was asked for before this one was read'));
  }

  async #pull(): Promise<void> {
    const bytes = await this.#reader.read();
    if (this.destroyed) return;
    if (bytes === undefined) this.#length.end();
    else this.#length.add(bytes.length);
    this.push(bytes ?? null);
  }
}
