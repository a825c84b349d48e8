/** Reads an OpenAPI file (YAML or JSON), with the files that it refers to, and locates its parts by file and line. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { applyOperationDefaults } from '../extensions/apply-operation-defaults.ts';
import { modelOf, resolveIdentifiers } from '../schema/build-model.ts';
import { toWritten } from '../schema/written-schema.ts';
import { assignOperationIds } from './assign-operation-ids.ts';
import { type BundledParts, type ReferenceProblem, bundleParts } from './bundle-parts.ts';
import { DocumentParts, type Location, type ReadText, type SourceFile } from './document-parts.ts';
import { alterationOf, MIN_INEXACT_DIGITS } from '../json/altered-numbers.ts';
import { loadFastYaml, loadYaml } from './load-yaml.ts';
import type { Document } from '../document/openapi.ts';
import { readText } from './read-text.ts';
import { type ParsedYaml, parseYaml } from './parse-yaml.ts';
import { ContractError, type Locate, type Problem, formatProblem, problemAt } from '../document/problems.ts';

export interface SourceDocument {
  readonly file: string;
  readonly source: string;
  /** Every file that the document is written in, that of the document first. */
  readonly files: readonly SourceFile[];
  readonly written: Document;
  /** The document with `x-operation-defaults` applied. */
  readonly original: Document;
  /** `original` with the ids of `assignOperationIds`: what clients and their tools get. */
  readonly published: Document;
  /** The model of `published` (`modelOf`): what everything here reads. */
  readonly document: Document;
  /** `original` for tools that read text: `source`, or JSON if it has operation defaults or several files. */
  readonly text: string;
  readonly defaultsProblems: readonly Problem[];
  /** SHA-256 of the content, in hex: comments and formatting do not change it. */
  readonly digest: string;
  /** Whether it is what everything was generated from (`ParseOptions.generatedDigest`). */
  readonly wasChecked: boolean;
  readonly locate: Locate;
  /** Where a part of `document` is written: its own path, or that of the entry of `x-operation-defaults` or the component that it comes from. */
  readonly writtenAt: (path: readonly (string | number)[]) => readonly (string | number)[];
}

/**
 * Reads and parses the file.
 *
 * @throws ContractError with the first syntax error and its line, or when the file cannot be read.
 */
export function readDocument(file: string): SourceDocument {
  return parseSource(file, readText(file));
}

/**
 * Reads the file much faster than `readDocument`, because lines are not located before one is asked for.
 *
 * @returns `undefined` if it cannot be parsed, or its operation defaults are wrong.
 */
export const readFast = (file: string): SourceDocument | undefined => parseFast(file, readText(file), {});

function parseFast(file: string, source: string, options: ParseOptions): SourceDocument | undefined {
  try {
    const parse = (_: string, text: string) => (text.trimStart().startsWith('{') ? JSON.parse(text) : loadFastYaml().load(text)) as unknown;
    const parts = new DocumentParts({ file, text: source }, parse(file, source), options.read ?? readPart, parse);
    const bundled = bundleParts(parts);
    let located: SourceDocument | undefined;
    const locate: Locate = (path) => (located ??= parseLocated(file, source, options)).locate(path);
    const made = bundled.problems.length > 0 ? undefined : toSource(parts, bundled, () => locate);
    return made?.defaultsProblems.length === 0 ? made : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a document for tools that know JSON pointers only: with identifiers, it is JSON without references by them. */
export function textWithPointers({ original, text }: SourceDocument): string {
  const resolved = resolveIdentifiers(original);
  return resolved === original ? text : JSON.stringify(resolved);
}

function readPart(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const textOf = (source: string, isAsWritten: boolean, document: Document): string => (isAsWritten ? source : JSON.stringify(document));

const digestOf = (document: Document): string => createHash('sha256').update(JSON.stringify(document)).digest('hex');

export interface ParseOptions {
  /** Gives the text of the files that the document refers to, whose names are relative to the same folder as its own. */
  readonly read?: ReadText;
  /** Whether `<<` merges maps, as YAML 1.1 has it. */
  readonly merge?: boolean;
  /** The digest of what was generated: a document with it was checked then. It is not checked again, and its lines are read when one is asked for. */
  readonly generatedDigest?: string | undefined;
}

/** As `readDocument`, for a text. */
export function parseSource(file: string, source: string, options: ParseOptions = {}): SourceDocument {
  const { generatedDigest } = options;
  const fast = generatedDigest === undefined ? undefined : parseFast(file, source, options);
  return fast?.digest === generatedDigest && fast !== undefined ? { ...fast, wasChecked: true } : parseLocated(file, source, options);
}

function parseLocated(file: string, source: string, options: ParseOptions): SourceDocument {
  const { parts, bundled, locationOf } = readParts(file, source, options);
  return toSource(parts, bundled, (writtenAt) => (path) => locationOf(bundled.origins.of(writtenAt(path))));
}

/** @param locateBy makes what locates a part from what says where it is written. */
function toSource(
  parts: DocumentParts,
  bundled: BundledParts,
  locateBy: (writtenAt: SourceDocument['writtenAt']) => Locate,
): SourceDocument {
  const [{ file, text: source } = { file: '', text: '' }] = parts.files;
  const { document: written } = bundled;
  const { document, writtenAt: beforeDefaults, problems } = applyOperationDefaults(written);
  const writtenAt = (path: readonly (string | number)[]) => beforeDefaults(toWritten(document, path));
  const locate = locateBy(writtenAt);
  const published = assignOperationIds(document);
  return {
    file,
    source,
    files: parts.files,
    written,
    original: document,
    published,
    document: modelOf(published),
    text: textOf(source, document === parts.rootValue, document),
    defaultsProblems: problems.map(([path, problem]) => problemAt({ locate }, path, problem)),
    // Defaults that are wrong are not applied: what is left is not what anything was generated from.
    digest: digestOf(problems.length > 0 ? written : document),
    wasChecked: false,
    locate,
    writtenAt,
  };
}

interface ReadParts {
  readonly parts: DocumentParts;
  readonly bundled: BundledParts;
  readonly locationOf: (location: Location) => ReturnType<Locate>;
}

/** @throws ContractError with every reference that leads nowhere. */
function readParts(file: string, source: string, { read = readPart, merge = false }: ParseOptions): ReadParts {
  const parsed = new Map<string, ParsedYaml>();
  const parse = (name: string, text: string): unknown => {
    const part = parseYaml(name, text, { merge });
    parsed.set(name, part);
    const inexact = inexactValues(part);
    if (inexact.length > 0) throw new ContractError(name, inexact);
    return part.toJS();
  };
  const root = parse(file, source);
  if (root === null || typeof root !== 'object' || Array.isArray(root)) {
    throw new ContractError(file, [{ line: 1, column: 1, message: 'is not an OpenAPI document: the root must be an object' }]);
  }
  const locationOf = ({ file: name, keys }: Location): ReturnType<Locate> => {
    const part = parsed.get(name);
    const location = part?.locationAt(offsetOf(part.document.contents, keys)) ?? { line: 1, column: 1 };
    return name === file ? location : { file: name, ...location };
  };
  const parts = new DocumentParts({ file, text: source }, root, read, parse);
  const bundled = bundleParts(parts);
  if (bundled.problems.length > 0) throw new ContractError(file, referenceProblems(file, bundled.problems, locationOf));
  return { parts, bundled, locationOf };
}

/** Keywords whose number must be the one that is written; a bound beyond every exact integer is common, and is the nearest number. */
const EXACT_KEYWORDS: readonly unknown[] = ['const', 'enum', 'multipleOf'];

/** Integers of `const`, `enum` and `multipleOf` that a number would round: the neighbour would be accepted in their place. */
function inexactValues({ document, locationAt }: ParsedYaml): Problem[] {
  const { isPair, isScalar, visit } = loadYaml();
  const problems: Problem[] = [];
  visit(document, {
    Scalar(_key, { value, source = '', range }, ancestors) {
      if (typeof value !== 'number' || source.length < MIN_INEXACT_DIGITS || alterationOf(source) === undefined) return;
      const keys = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [node.key.value] : []));
      const keyword = keys.at(-1);
      // A value of an example is no schema.
      if (!EXACT_KEYWORDS.includes(keyword) || keys.some((key) => /^(examples?|default|x-(?!item-schema).*)$/.test(String(key)))) return;
      const message = `${String(keyword)} ${source} is an integer that a number cannot hold exactly, and would be ${value}: use a string, or one of at most ${Number.MAX_SAFE_INTEGER}`;
      problems.push({ ...locationAt(range?.[0] ?? 0), message });
    },
  });
  return problems;
}

/** The offset of a value: of its key, or of itself in a list. One that is missing has that of its nearest existing parent. */
function offsetOf(root: unknown, path: readonly (string | number)[]): number {
  const { isMap, isNode, isScalar, isSeq } = loadYaml();
  let node = root;
  let offset = 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) break;
      offset = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** @param file that of the contract. A file that cannot be parsed is reported where its own error is, once. */
function referenceProblems(
  file: string,
  problems: readonly ReferenceProblem[],
  locationOf: (location: Location) => ReturnType<Locate>,
): Problem[] {
  const causes = new Set<unknown>();
  return problems.flatMap(({ message, cause, ...at }): Problem[] => {
    if (!(cause instanceof ContractError)) return [{ ...locationOf(at), message }];
    if (causes.has(cause)) return [];
    causes.add(cause);
    const reference = formatProblem(file, { ...locationOf(at), message: '' }).trim();
    return cause.problems.map((problem) => ({
      file: cause.file,
      ...problem,
      message: `${problem.message} (read for the $ref at ${reference})`,
    }));
  });
}
