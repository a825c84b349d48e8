/** Makes one document of a split one: what its references find in other files becomes components, with readable names. */
import { childrenInFile } from './children-in-file.ts';
import { ComponentNames, child, idOf } from './component-names.ts';
import {
  type DocumentParts,
  type Keys,
  type Location,
  RemoteReference,
  type Target,
  UnresolvedReference,
  isReference,
} from './document-parts.ts';
import { type Content, FIELDS, type Kind, kindOf } from '../document/object-kinds.ts';
import { bundledSectionOf } from '../document/object-places.ts';
import { type Document, isObject, pointerKeys, pointerTo } from '../document/openapi.ts';

export interface ReferenceProblem extends Location {
  readonly message: string;
  readonly cause: unknown;
  /** The reference, if it is a URL. */
  readonly url?: string;
}

export interface BundledParts {
  /** The root itself if nothing in it refers to another file. */
  readonly document: Document;
  readonly problems: readonly ReferenceProblem[];
  readonly origins: PartOrigins;
}

/**
 * Bundles a document. A component that is nothing but a reference to a file gets its content, a path item and whatever else has no
 * section in `components` is written out in its place, and everything else becomes a component.
 */
export function bundleParts(parts: DocumentParts): BundledParts {
  const [root] = parts.files;
  const document = parts.rootValue as Document;
  if (
    root !== undefined &&
    isInOnePiece(root.text) &&
    !Object.values((document.paths as Document['paths'] | undefined) ?? {}).some(isReference)
  )
    return { document, problems: [], origins: new PartOrigins(parts.root) };
  return new Bundler(parts).bundle();
}

/** A reference to anything but a pointer, and what is written out where something refers to it. */
const MAY_BE_SPLIT = /\$ref["']?\s*:\s*(?!\s*["']?#)|pathItems|mediaTypes/;

/** Whether nothing in a text can refer to another file: most documents need not be searched. */
const isInOnePiece = (text: string): boolean => !MAY_BE_SPLIT.test(text);

class Bundler {
  readonly #parts: DocumentParts;
  readonly #origins: PartOrigins;
  readonly #problems: ReferenceProblem[] = [];
  readonly #names: ComponentNames;
  readonly #isIdentifier: (reference: string) => boolean;

  constructor(parts: DocumentParts) {
    this.#parts = parts;
    this.#origins = new PartOrigins(parts.root);
    this.#names = new ComponentNames(parts);
    this.#isIdentifier = identifiersOf(parts.rootValue);
  }

  bundle(): BundledParts {
    const { root, rootValue } = this.#parts;
    let document = this.#visit(rootValue, 'document', { file: root, keys: [] }, [], []) as Document;
    // Their own references may add more of them.
    for (let next = this.#names.next(); next !== undefined; next = this.#names.next()) {
      const { section, kind, name, target } = next;
      const path = ['components', section, name];
      this.#origins.set(path, target);
      const value = this.#visit(structuredClone(target.value), kind, target, path, []);
      const components = document.components ?? {};
      document = { ...document, components: { ...components, [section]: { ...(components[section] as object), [name]: value } } };
    }
    return { document, problems: this.#problems, origins: this.#origins };
  }

  /** @param at where the value is written. @param path where it will be. @param open what is being written out around it. */
  #visit(value: unknown, content: Content, at: Location, path: Keys, open: readonly string[]): unknown {
    if (isReference(value)) return this.#reference(value, content, at, path, open);
    const kind = kindOf(content);
    if (content.endsWith('[]')) return Array.isArray(value) ? this.#entries(value, () => kind, at, path, open) : value;
    if (!isObject(value)) return value;
    if (content.endsWith('{}')) return this.#entries(value, () => kind, at, path, open);
    if (kind === 'securityRequirement') return this.#requirement(value, at);
    const fields = FIELDS[kind];
    const visited = this.#entries(value, (key) => fields[key] ?? fields['*'], at, path, open);
    return kind === 'schema' && isObject(value['discriminator']) ? this.#discriminated(visited as Record<string, unknown>, at) : visited;
  }

  #entries(value: object, contentOf: (key: string) => Content | undefined, at: Location, path: Keys, open: readonly string[]): object {
    let copy: Record<string, unknown> | undefined;
    for (const [key, former] of Object.entries(value)) {
      const content = contentOf(key);
      if (content === undefined || typeof former !== 'object' || former === null) continue;
      const visited = this.#visit(former, content, child(at, key), [...path, key], open);
      if (visited !== former)
        (copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>)[key] = visited;
    }
    return copy ?? value;
  }

  #reference(value: { $ref: string }, content: Content, at: Location, path: Keys, open: readonly string[]): unknown {
    const section = bundledSectionOf(content);
    const isWithinRoot = at.file === this.#parts.root && value.$ref.startsWith('#');
    if ((isWithinRoot && (section !== undefined || !WRITTEN_OUT.includes(content))) || this.#isIdentifier(value.$ref))
      return this.#beside(value, content, at, path, open);
    const target = this.#resolve(value.$ref, at, isWithinRoot);
    if (target === undefined) return value;
    if (section !== undefined && !this.#names.isOwn(section, target, path)) {
      const $ref = this.#names.referenceTo(section, content as Kind, target);
      return { ...this.#beside(value, content, at, path, open), $ref };
    }
    const id = idOf(content, target);
    if (open.includes(id)) {
      if (!isWithinRoot) this.#report(at, value.$ref, 'contains itself where OpenAPI has no name for it: give it one in components');
      return value;
    }
    this.#origins.setContent(path, target);
    const written = this.#visit(structuredClone(target.value), content, target, path, [...open, id]);
    const beside: Record<string, unknown> = { ...this.#beside(value, content, at, path, open) };
    delete beside['$ref'];
    if (Object.keys(beside).length === 0 || !isObject(written)) return written;
    for (const key of Object.keys(beside)) this.#origins.set([...path, key], child(at, key));
    return { ...written, ...beside };
  }

  /** A reference, with what is written beside it. */
  #beside(value: { $ref: string }, content: Content, at: Location, path: Keys, open: readonly string[]): { $ref: string } {
    const fields: Readonly<Record<string, Content>> | undefined = kindOf(content) === content ? FIELDS[content] : undefined;
    return this.#entries(value, (key) => fields?.[key], at, path, open) as { $ref: string };
  }

  /** A parent in another file, whose children there become components, and are mapped by the names that they have there. */
  #discriminated(schema: Record<string, unknown>, at: Location): unknown {
    if (at.file === this.#parts.root || 'oneOf' in schema || 'anyOf' in schema) return this.#mapping(schema, at);
    const children = childrenInFile(this.#parts, at);
    if (children.length === 0) return this.#mapping(schema, at);
    // A name for each makes it a component. As references within the file.
    const local = new Map(children.map(({ name, keys }) => [name, pointerTo(...keys)]));
    const isRenamed = (target: Target) => pointerKeys(this.#names.referenceTo('schemas', 'schema', target)).at(-1) !== target.name;
    const { mapping: written, ...discriminator } = schema['discriminator'] as Readonly<Record<string, unknown>>;
    const entries = Object.entries(isObject(written) ? written : {}).map(([value, target]) => [value, local.get(String(target)) ?? target]);
    const renamed = children.filter(isRenamed).map(({ name }) => [name, local.get(name)]);
    const mapping: unknown = Object.fromEntries([...renamed, ...entries]);
    const isMapped = isObject(written) || renamed.length > 0;
    return this.#mapping({ ...schema, discriminator: { ...discriminator, ...(isMapped && { mapping }) } }, at);
  }

  /** Values of `discriminator.mapping` may be references (OpenAPI 3.0.3, section 4.7.25). */
  #mapping(schema: Record<string, unknown>, at: Location): unknown {
    const { discriminator } = schema as { discriminator?: { mapping?: Record<string, unknown> } };
    if (!isObject(discriminator?.mapping)) return schema;
    const isFile = (value: unknown): value is string =>
      typeof value === 'string' && (at.file === this.#parts.root ? /^[^#]+(#|\.(ya?ml|json)$)/i : /#|\.(ya?ml|json)$/i).test(value);
    const entries = Object.entries(discriminator.mapping).map(([key, value]): [string, unknown] => {
      const place = { ...at, keys: [...at.keys, 'discriminator', 'mapping', key] };
      const target = isFile(value) && !this.#isIdentifier(value) ? this.#resolve(value, place, false, []) : undefined;
      return [key, target === undefined ? value : this.#names.referenceTo('schemas', 'schema', target)];
    });
    if (entries.every(([key, value]) => discriminator.mapping?.[key] === value)) return schema;
    return { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(entries) } };
  }

  /** A security scheme may be named by a reference to it (OpenAPI 3.2). */
  #requirement(requirement: Record<string, unknown>, at: Location): unknown {
    const isReferred = (name: string) => /#\/|\.(ya?ml|json)$/i.test(name);
    if (!Object.keys(requirement).some(isReferred)) return requirement;
    const entries = Object.entries(requirement).map(([name, scopes]): [string, unknown] => {
      const target = isReferred(name) ? this.#resolve(name, at, false, [name]) : undefined;
      if (target === undefined) return [name, scopes];
      return [pointerKeys(this.#names.referenceTo('securitySchemes', 'securityScheme', target)).at(-1) ?? name, scopes];
    });
    return Object.fromEntries(entries);
  }

  #resolve($ref: string, at: Location, isWithinRoot: boolean, key: Keys = ['$ref']): Target | undefined {
    const keys = [...at.keys, ...key];
    try {
      return this.#parts.resolve($ref, at.file, keys);
    } catch (error) {
      if (!(error instanceof UnresolvedReference)) throw error;
      if (error instanceof RemoteReference) {
        const { at: written, reference: url, message } = error;
        // Several references may lead to the one that is a URL.
        const isReported = this.#problems.some(
          ({ file, keys }) => file === written.file && pointerTo(...keys) === pointerTo(...written.keys),
        );
        if (!isReported) this.#problems.push({ ...written, message: `$ref ${url} ${message}`, cause: undefined, url });
        return undefined;
      }
      // The check of the document says what is wrong within it.
      if (!isWithinRoot) this.#report({ ...at, keys }, $ref, error.message, error.cause);
      return undefined;
    }
  }

  #report({ file, keys }: Location, $ref: string, message: string, cause?: unknown): void {
    this.#problems.push({ file, keys, message: `$ref ${$ref} ${message}`, cause });
  }
}

/** What is written out in place of a reference even within one file, so that its readers find no reference there. */
const WRITTEN_OUT: readonly Content[] = ['pathItem', 'mediaType'];

/** @returns whether a reference, as written, names a part of the document by its URI. */
function identifiersOf(document: unknown): (reference: string) => boolean {
  let identifiers: ReadonlySet<string> | undefined;
  return (reference) => {
    if (reference.startsWith('#')) return false;
    // Looked for only if something refers to more than a pointer.
    identifiers ??= new Set(identifiersIn(document));
    const [uri = ''] = reference.split('#');
    if (identifiers.has(uri)) return true;
    return [...identifiers].some((base) => URL.canParse(uri, base) && identifiers?.has(new URL(uri, base).href) === true);
  };
}

/** Each as written, and as it is from the base that the identifiers around it give. */
function* identifiersIn(value: unknown, base?: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { $id, $self } = value as { $id?: unknown; $self?: unknown };
  let within = base;
  for (const uri of [$self, $id]) {
    if (typeof uri !== 'string') continue;
    yield uri.replace(/#$/, '');
    if (!URL.canParse(uri, within)) continue;
    within = new URL(uri, within).href.replace(/#$/, '');
    yield within;
  }
  for (const part of Object.values(value)) yield* identifiersIn(part, within);
}

/** In place of a key: any key of the part. No name has control characters. */
const ANY = '\u0000';

class PartOrigins {
  readonly #root: string;
  readonly #places = new Map<string, Location>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Says where a part is written, and all that is in it. */
  set(path: Keys, { file, keys }: Location): void {
    this.#places.set(JSON.stringify(path.map(String)), { file, keys });
  }

  /** As `set`, for a part that is itself located where something refers to it. */
  setContent(path: Keys, location: Location): void {
    this.set([...path, ANY], location);
  }

  /** The file and the keys in it of a part of the bundled document. */
  of(path: Keys): Location {
    for (let length = this.#places.size === 0 ? 0 : path.length; length > 0; length--) {
      const parent = path.slice(0, length).map(String);
      const content = length < path.length ? this.#places.get(JSON.stringify([...parent, ANY])) : undefined;
      const place = content ?? this.#places.get(JSON.stringify(parent));
      if (place !== undefined) return { file: place.file, keys: [...place.keys, ...path.slice(length)] };
    }
    return { file: this.#root, keys: path };
  }
}
