/** Reads an OpenAPI file (YAML or JSON), with the files that it refers to, and locates its parts by file and line. */
import { createHash } from 'node:crypto';
import { applyOperationDefaults } from '../extensions/apply-operation-defaults.ts';
import { withDates } from '../schema/build-model.ts';
import { modelOf, resolveIdentifiers } from '../schema/model-of.ts';
import { toWritten } from '../schema/written-schema.ts';
import { assignOperationIds } from './assign-operation-ids.ts';
import { type BundledParts, type ReferenceProblem, bundleParts } from './bundle-parts.ts';
import { circularReferences } from './circular-references.ts';
import { DocumentParts, type Location, type ReadText, type SourceFile } from './document-parts.ts';
import { alterationOf, MIN_INEXACT_DIGITS } from '../json/altered-numbers.ts';
import { loadYaml, mayMerge, parseFast } from './load-yaml.ts';
import type { Document } from '../document/openapi.ts';
import { createPartReader, datesOf, type ReadOptions } from './project-files.ts';
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
  /** `date`: its moments are `Date` in JavaScript, as `specwright.dates` of the project's package.json says. */
  readonly dates: 'date' | undefined;
  /** `original` for tools that read text: `source`, or JSON if it has operation defaults or several files, or other parsers may read it differently. */
  readonly text: string;
  /** Whether its text, or a comment in it, has `<<`, which parsers of YAML 1.2 need not know. */
  readonly mayHaveMergeKeys: boolean;
  /** What is read although other parsers refuse it, each with its file and line. */
  readonly warnings: readonly Problem[];
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
export function readDocument(file: string, options: ReadOptions = {}): SourceDocument {
  return parseSource(file, readText(file), options);
}

/**
 * Reads the file much faster than `readDocument`, because lines are not located before one is asked for.
 *
 * @returns `undefined` if it cannot be parsed, or its operation defaults are wrong.
 */
export const readFast = (file: string, options: ReadOptions = {}): SourceDocument | undefined =>
  parseSourceFast(file, readText(file), options);

function parseSourceFast(file: string, source: string, options: ParseOptions): SourceDocument | undefined {
  try {
    const parts = new DocumentParts({ file, text: source }, parseFast(source), options.read ?? createPartReader(file, options), (_, text) =>
      parseFast(text),
    );
    const bundled = bundleParts(parts);
    let located: SourceDocument | undefined;
    const locate: Locate = (path) => (located ??= parseLocated(file, source, options)).locate(path);
    const made = bundled.problems.length > 0 ? undefined : toSource(parts, bundled, () => locate);
    return made?.defaultsProblems.length === 0 ? made : undefined;
  } catch {
    return undefined;
  }
}

/** The document as JSON for tools that have another parser of YAML and know JSON pointers only: as it was read, without references by identifiers. */
export const textWithPointers = ({ original }: SourceDocument): string => JSON.stringify(resolveIdentifiers(original));

const digestOf = (document: Document): string => createHash('sha256').update(JSON.stringify(document)).digest('hex');

export interface ParseOptions extends ReadOptions {
  /** Gives the text of the files that the document refers to, whose names are relative to the same folder as its own; default: of the disk. */
  readonly read?: ReadText;
  /** The digest of what was generated: a document with it was checked then. It is not checked again, and its lines are read when one is asked for. */
  readonly generatedDigest?: string | undefined;
}

/** As `readDocument`, for a text. */
export function parseSource(file: string, source: string, options: ParseOptions = {}): SourceDocument {
  const { generatedDigest } = options;
  const fast = generatedDigest === undefined ? undefined : parseSourceFast(file, source, options);
  return fast?.digest === generatedDigest && fast !== undefined ? { ...fast, wasChecked: true } : parseLocated(file, source, options);
}

function parseLocated(file: string, source: string, options: ParseOptions): SourceDocument {
  const { parts, bundled, locationOf, warnings } = readParts(file, source, options);
  const made = toSource(parts, bundled, (writtenAt) => (path) => locationOf(bundled.origins.of(writtenAt(path))));
  return warnings.length === 0 ? made : { ...made, warnings, text: JSON.stringify(made.original) };
}

/** @param locateBy makes what locates a part from what says where it is written. */
function toSource(
  parts: DocumentParts,
  bundled: BundledParts,
  locateBy: (writtenAt: SourceDocument['writtenAt']) => Locate,
): SourceDocument {
  const [{ file, text: source } = { file: '', text: '' }] = parts.files;
  const { document: written } = bundled;
  assertNoRings(
    file,
    written,
    locateBy((path) => path),
  );
  const { document, writtenAt: beforeDefaults, problems } = applyOperationDefaults(written);
  const writtenAt = (path: readonly (string | number)[]) => beforeDefaults(toWritten(document, path));
  const locate = locateBy(writtenAt);
  const published = assignOperationIds(document);
  const dates = datesOf(file);
  return {
    file,
    source,
    files: parts.files,
    written,
    original: document,
    published,
    document: modelOf(withDates(published, dates)),
    dates,
    mayHaveMergeKeys: parts.files.some(({ text }) => mayMerge(text)),
    text: document === parts.rootValue && !mayMerge(source) ? source : JSON.stringify(document),
    // The fast parser accepts nothing that others refuse.
    warnings: [],
    defaultsProblems: problems.map(([path, problem]) => problemAt({ locate }, path, problem)),
    // Defaults that are wrong are not applied: what is left is not what anything was generated from.
    digest: digestOf(problems.length > 0 ? written : document),
    wasChecked: false,
    locate,
    writtenAt,
  };
}

/** Before anything follows a reference. @throws ContractError with every ring. */
function assertNoRings(file: string, written: Document, locate: Locate): void {
  const problems = circularReferences(written).map(({ path, message }) => problemAt({ locate }, path, message));
  if (problems.length > 0) throw new ContractError(file, problems);
}

interface ReadParts {
  readonly parts: DocumentParts;
  readonly bundled: BundledParts;
  readonly locationOf: (location: Location) => ReturnType<Locate>;
  readonly warnings: readonly Problem[];
}

/** @throws ContractError with every reference that leads nowhere. */
function readParts(file: string, source: string, options: ParseOptions): ReadParts {
  const { read = createPartReader(file, options) } = options;
  const parsed = new Map<string, ParsedYaml>();
  const parse = (name: string, text: string): unknown => {
    const part = parseYaml(name, text);
    parsed.set(name, part);
    const inexact = inexactValues(part);
    if (inexact.length > 0) throw new ContractError(name, inexact);
    return part.toJS();
  };
  const root = parse(file, source);
  if (root === null || typeof root !== 'object' || Array.isArray(root)) {
    throw new ContractError(file, [{ line: 1, column: 1, message: 'is not an OpenAPI document: the root must be an object' }]);
  }
  const fileOf = (name: string) => (name === file ? {} : { file: name });
  const locationOf = ({ file: name, keys }: Location): ReturnType<Locate> => {
    const part = parsed.get(name);
    return { ...fileOf(name), ...(part?.locationAt(part.offsetOf(keys)) ?? { line: 1, column: 1 }) };
  };
  const parts = new DocumentParts({ file, text: source }, root, read, parse);
  const bundled = bundleParts(parts);
  if (bundled.problems.length > 0) throw new ContractError(file, referenceProblems(file, bundled.problems, locationOf));
  const warnings = [...parsed].flatMap(([name, { closingBrackets, locationAt }]) =>
    closingBrackets.map((offset) => ({ ...fileOf(name), ...locationAt(offset), message: CLOSING_BRACKET })),
  );
  return { parts, bundled, locationOf, warnings };
}

const CLOSING_BRACKET = 'this bracket is not indented more than its key, and other parsers of YAML refuse it';

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

/** @param file that of the contract. A file that cannot be parsed is reported where its own error is, once. */
function referenceProblems(
  file: string,
  problems: readonly ReferenceProblem[],
  locationOf: (location: Location) => ReturnType<Locate>,
): Problem[] {
  const causes = new Set<unknown>();
  return problems.flatMap(({ message, cause, url, ...at }): Problem[] => {
    if (!(cause instanceof ContractError)) return [{ ...locationOf(at), message, ...(url !== undefined && { url }) }];
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
