/** Checks what arrives of a multipart body against what the contract declares, part by part. */
import { type FileRule, type MultipartParts, matchesType } from '@specwright/contract';
import { bodyTooLarge } from '../body-errors.ts';
import { FrameworkError } from '@specwright/contract/runtime';
import { invalidRequest } from '../../validate-request.ts';
import type { PartHead } from './part-headers.ts';

/** The type of a part with a filename and without Content-Type (RFC 7578, section 4.4, has text for fields). */
export const DEFAULT_FILE_TYPE = 'application/octet-stream';

const invalidFile = (name: string, message: string) => invalidRequest([{ location: `body/${name}`, message }]);

export class FileRules {
  readonly #files: MultipartParts['files'];
  readonly #counts = new Map<string, number>();

  constructor({ files }: Pick<MultipartParts, 'files'>) {
    this.#files = files;
  }

  /** A list of files may be named with brackets, as PHP and Rails have it: `pages[]` is `pages`, unless it is declared itself. */
  named(head: PartHead | undefined): PartHead | undefined {
    const list = head?.name.endsWith('[]') === true && !this.#files.has(head.name) ? head.name.slice(0, -2) : '';
    return head !== undefined && this.#files.get(list)?.isList === true ? { ...head, name: list } : head;
  }

  /** Whether a part is a file. @throws AppError invalid_request for one that is neither declared nor may be a field. */
  isFile({ name, hasFilename, type }: PartHead): boolean {
    if (this.#files.has(name)) return true;
    // A browser gives each part that it makes of a Blob a filename, also one that is JSON or text.
    if (hasFilename && (type === undefined || !/^text\/plain\b|[/+]json\b/i.test(type)))
      throw invalidFile(name, 'is not declared as a file');
    return false;
  }

  /** @returns the rule of a file that begins. @throws AppError invalid_request if it may not. */
  begin({ name, type = DEFAULT_FILE_TYPE }: PartHead): FileRule {
    const rule = this.#files.get(name) as FileRule;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (count > rule.maxCount) throw invalidFile(name, rule.isList ? `must have at most ${rule.maxCount} files` : 'must be given once');
    if (rule.types.length > 0 && !rule.types.some((declared) => matchesType(type, declared)))
      throw invalidFile(name, `must be of the type ${rule.types.join(' or ')}, not ${type.slice(0, 100)}`);
    return rule;
  }

  #missing(): { readonly location: string; readonly message: string }[] {
    return [...this.#files].flatMap(([name, { isList, minCount }]) => {
      const count = this.#counts.get(name) ?? 0;
      if (count >= minCount) return [];
      const message = count === 0 ? 'is required' : `must have at least ${minCount} ${isList && minCount > 1 ? 'files' : 'file'}`;
      return [{ location: `body/${name}`, message }];
    });
  }

  /** @throws AppError invalid_request */
  end(): void {
    const missing = this.#missing();
    if (missing.length > 0) throw invalidRequest(missing);
  }
}

export class FileLength {
  readonly #name: string;
  readonly #rule: FileRule;
  bytes = 0;

  constructor(name: string, rule: FileRule) {
    this.#name = name;
    this.#rule = rule;
  }

  /** @throws AppError body_too_large */
  add(bytes: number): void {
    this.bytes += bytes;
    const { maxBytes } = this.#rule;
    if (this.bytes > maxBytes) throw new FrameworkError('body_too_large', `body/${this.#name} is larger than ${maxBytes} bytes`);
  }

  /** @throws AppError invalid_request */
  end(): void {
    const { minBytes } = this.#rule;
    if (this.bytes < minBytes) throw invalidFile(this.#name, `must have at least ${minBytes} bytes`);
  }
}

/** Counts the bytes of all fields, which are held in memory. */
export class FieldsLength {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws AppError body_too_large */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw bodyTooLarge(this.#maxBytes);
  }
}
