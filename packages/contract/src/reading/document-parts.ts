/** The files of a split document: reads each once, and finds what a `$ref` in one of them means. */
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject, pointerKeys } from '../document/openapi.ts';
import { displayFile } from '../document/problems.ts';
import { OutsideProject } from './project-files.ts';

export type Keys = readonly (string | number)[];

/** A part of a file: the keys from its root. */
export interface Location {
  readonly file: string;
  readonly keys: Keys;
}

export interface Target extends Location {
  readonly value: unknown;
  /** What the reference calls it: the last key of the pointer, or the name of the file. */
  readonly name: string;
}

export interface SourceFile {
  readonly file: string;
  readonly text: string;
  /** What is parsed of it; `undefined` if it cannot be. */
  readonly value?: unknown;
}

/** The text of a file. @returns `undefined` if there is none. @throws Error if it cannot be read. */
export type ReadText = (file: string) => string | undefined;

/** Thrown for a reference that leads nowhere. `cause` is the error of a target that cannot be parsed. */
export class UnresolvedReference extends Error {}

/** Thrown for a reference to a URL. `at` is where that is written, which may be in a file on the way to it. */
export class RemoteReference extends UnresolvedReference {
  readonly reference: string;
  readonly at: Location;

  constructor(reference: string, at: Location) {
    super('is a URL, which is not fetched: `npx specwright vendor` downloads it, and refers to the file');
    this.reference = reference;
    this.at = at;
  }
}

export class DocumentParts {
  readonly root: string;
  readonly #read: ReadText;
  readonly #parse: (file: string, text: string) => unknown;
  readonly #parts = new Map<string, { readonly file: string; readonly text: string; value?: unknown; error?: unknown }>();

  constructor(root: SourceFile, rootValue: unknown, read: ReadText, parse: (file: string, text: string) => unknown) {
    this.root = root.file;
    this.#read = read;
    this.#parse = parse;
    this.#parts.set(resolve(root.file), { ...root, value: rootValue });
  }

  get files(): SourceFile[] {
    return [...this.#parts.values()].map(({ file, text, value }) => ({ file, text, value }));
  }

  get rootValue(): unknown {
    return this.#parts.get(resolve(this.root))?.value;
  }

  /**
   * Follows a reference, and what it leads to if that is nothing but a reference too.
   *
   * @param from the file that has it, at `keys`. @throws UnresolvedReference
   */
  resolve(reference: string, from: string, keys: Keys = [], seen: readonly Followed[] = []): Target {
    const first = seen.findIndex((one) => one.from === from && one.reference === reference);
    if (first !== -1)
      throw new UnresolvedReference(`refers to itself, and says nothing: ${chainOf([...seen.slice(first), { from, reference }])}`);
    const [path = '', fragment = ''] = reference.split(/#(.*)/s);
    if (/^file:/i.test(path)) throw new UnresolvedReference('is a URL: write the path of the file, relative to this one');
    if (/^[a-z][a-z0-9+.-]+:/i.test(path)) throw new RemoteReference(reference, { file: from, keys });
    const { file, value } =
      path === ''
        ? this.#open(from, from)
        : this.#open(
            decodedName(path, (name) => this.#exists(from, name)),
            from,
          );
    if (fragment !== '' && !fragment.startsWith('/'))
      throw new UnresolvedReference(
        `names an anchor in ${displayFile(file)}: refer to it by a JSON pointer, such as #/components/schemas/Pet`,
      );
    const target = keysOf(fragment);
    const name = target.at(-1) ?? basename(file).replace(/\.(ya?ml|json)$/i, '');
    return { ...this.#descend({ file, keys: [], value }, target, [...seen, { from, reference }]), name };
  }

  #descend(start: Omit<Target, 'name'>, keys: readonly string[], seen: readonly Followed[]): Omit<Target, 'name'> {
    let { file, keys: reached, value } = start;
    const follow = () =>
      ({ file, keys: reached, value } = this.resolve((value as { $ref: string }).$ref, file, [...reached, '$ref'], seen));
    for (const [i, key] of keys.entries()) {
      if (isReference(value) && !(key in value)) follow();
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
        throw new UnresolvedReference(this.#missing(file, keys, i));
      value = (value as Record<string, unknown>)[key];
      reached = [...reached, key];
    }
    if (isReference(value) && Object.keys(value).length === 1 && this.#isOutside(value.$ref, file)) follow();
    return { file, keys: reached, value };
  }

  /** References within the root stay as they are written. */
  #isOutside(reference: string, file: string): boolean {
    return !reference.startsWith('#') || file !== this.root;
  }

  #missing(file: string, keys: readonly string[], index: number): string {
    const missing = `leads to nothing: ${displayFile(file)} has no /${keys.slice(0, index + 1).join('/')}`;
    const isInRoot = keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), this.rootValue) !== undefined;
    return isInRoot && file !== this.root ? `${missing}. ${displayFile(this.root)} has it: name that file` : missing;
  }

  #exists(from: string, name: string): boolean {
    try {
      return this.#parts.has(resolve(join(dirname(from), name))) || this.#read(join(dirname(from), name)) !== undefined;
    } catch {
      return true;
    }
  }

  /** A path that begins with `/` is one from the folder of the file, if there is such a file. */
  #fileOf(name: string, from: string): string {
    return isAbsolute(name) && !this.#exists(from, name) ? name : join(dirname(from), name);
  }

  #open(name: string, from: string): { file: string; value: unknown } {
    const file = name === from ? from : this.#fileOf(name, from);
    const known = this.#parts.get(resolve(file));
    if (known !== undefined) return this.#opened(known);
    let text: string | undefined;
    try {
      text = this.#read(file);
    } catch (cause) {
      if (cause instanceof OutsideProject)
        throw new UnresolvedReference(
          `leads to ${cause.target}, outside of the project ${cause.root}: move the file into it, or add --allow-outside if that is meant`,
        );
      throw new UnresolvedReference(`leads to ${displayFile(file)}, which cannot be read: ${(cause as Error).message}`, { cause });
    }
    if (text === undefined)
      throw new UnresolvedReference(`leads to nothing: there is no file ${displayFile(file)}. Add it, or fix the reference`);
    const part: { file: string; text: string; value?: unknown; error?: unknown } = { file, text };
    this.#parts.set(resolve(file), part);
    try {
      part.value = this.#parse(file, text);
    } catch (cause) {
      part.error = cause;
    }
    return this.#opened(part);
  }

  #opened({ file, value, error }: { readonly file: string; readonly value?: unknown; readonly error?: unknown }) {
    if (error !== undefined) throw new UnresolvedReference(`leads to ${displayFile(file)}, which cannot be parsed`, { cause: error });
    return { file, value };
  }
}

export const isReference = (value: unknown): value is { $ref: string } => isObject(value) && typeof value['$ref'] === 'string';

/** A reference, and the file that has it. */
interface Followed {
  readonly from: string;
  readonly reference: string;
}

/** A ring of more is named by its first and last references. */
const MAX_NAMES = 6;

function chainOf(followed: readonly Followed[]): string {
  const names = followed.map(({ reference }) => reference);
  const left = names.length - MAX_NAMES;
  return (left > 1 ? [...names.slice(0, 3), `(${left} more)`, ...names.slice(-3)] : names).join(' -> ');
}

/** A reference is a URI (RFC 3986): `my%20schemas.yaml` is the file `my schemas.yaml`, unless a file of that name exists. */
function decodedName(path: string, exists: (path: string) => boolean): string {
  if (!path.includes('%') || exists(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function keysOf(fragment: string): string[] {
  try {
    return fragment === '/' ? [] : pointerKeys(fragment);
  } catch {
    throw new UnresolvedReference('is not a URI: its percent-encoding cannot be decoded');
  }
}
