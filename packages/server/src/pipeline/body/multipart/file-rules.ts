/** Checks what arrives of a multipart body against what the contract declares, part by part. */
import { type FileRule, type MultipartParts, matchesType } from '@specwright/contract';
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

  /** For a file that begins. @throws AppError invalid_request if it may not. */
  begin({ name, type = DEFAULT_FILE_TYPE }: PartHead): FileLength {
    const rule = this.#files.get(name) as FileRule;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (count > rule.maxCount) throw invalidFile(name, rule.isList ? `must have at most ${rule.maxCount} files` : 'must be given once');
    const { types } = rule;
    if (types.length > 0 && !isOneOf(types, type))
      throw invalidFile(name, `must be of the type ${types.join(' or ')}, not ${type.slice(0, 100)}`);
    return new FileLength(name, rule);
  }

  /** @throws AppError invalid_request for files that are missing. */
  end(): void {
    const problems: { readonly location: string; readonly message: string }[] = [];
    for (const [name, { isList, minCount }] of this.#files) {
      const count = this.#counts.get(name) ?? 0;
      if (count >= minCount) continue;
      const message = count === 0 ? 'is required' : `must have at least ${minCount} ${isList && minCount > 1 ? 'files' : 'file'}`;
      problems.push({ location: `body/${name}`, message });
    }
    if (problems.length > 0) throw invalidRequest(problems);
  }
}

/** Most are of a type, or of a range, as it is declared. */
const isOneOf = (types: readonly string[], type: string): boolean =>
  types.includes(type) || types.includes(`${type.slice(0, type.indexOf('/'))}/*`) || types.some((declared) => matchesType(type, declared));

/** The bytes of a file, as they arrive. */
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
