/** Reads an OpenAPI file (YAML or JSON) and locates its parts by line. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { applyOperationDefaults } from '../extensions/apply-operation-defaults.ts';
import { assignOperationIds } from './assign-operation-ids.ts';
import { loadFastYaml, loadYaml } from './load-yaml.ts';
import { parseYaml } from './parse-yaml.ts';
import { ContractError, problemAt, type Locate, type Problem } from './problems.ts';
import type { Document } from './openapi.ts';

export interface SourceDocument {
  readonly file: string;
  /** The text of the file. */
  readonly source: string;
  /** The document as written. */
  readonly written: Document;
  /** The document with `x-operation-defaults` applied, and with the ids of `assignOperationIds` too. */
  readonly original: Document;
  readonly document: Document;
  /** `original` for tools that read text: `source`, or JSON if it has operation defaults. */
  readonly text: string;
  /** What is wrong with the operation defaults. */
  readonly defaultsProblems: readonly Problem[];
  /** SHA-256 of the content, in hex: comments and formatting do not change it. */
  readonly digest: string;
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
 * Reads the file much faster than `readDocument`, because lines are not located.
 *
 * @returns `undefined` if it cannot be parsed, or its operation defaults are wrong.
 */
export function readFast(file: string): Pick<SourceDocument, 'file' | 'source' | 'document' | 'text' | 'digest'> | undefined {
  const source = readText(file);
  try {
    const written = (source.trimStart().startsWith('{') ? JSON.parse(source) : loadFastYaml().load(source)) as Document;
    const { document, problems } = applyOperationDefaults(written);
    if (problems.length > 0) return undefined;
    const text = textOf(source, written, document);
    return { file, source, document: assignOperationIds(document), text, digest: digestOf(document) };
  } catch {
    return undefined;
  }
}

/**
 * Reads the text of a document.
 *
 * @throws ContractError that says what to do if there is no such file, or it is a folder; Error if it is a URL.
 */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const [, scheme, rest] = /(https?):\/+(.*)$/i.exec(file) ?? [];
    if (scheme !== undefined) {
      const url = `${scheme}://${rest}`;
      throw new Error(`${url} is a URL, and a file is needed: \`curl -fL -o openapi.yaml ${url}\` downloads it`, { cause });
    }
    const reasons: Record<string, string> = {
      ENOENT: 'does not exist: name an OpenAPI 3.0 document',
      EISDIR: 'is a folder: name the OpenAPI 3.0 document in it',
    };
    throw new ContractError(file, [{ message: reasons[code ?? ''] ?? `cannot be read: ${message}` }]);
  }
}

const textOf = (source: string, written: Document, document: Document): string =>
  document === written ? source : JSON.stringify(document);

const digestOf = (document: Document): string => createHash('sha256').update(JSON.stringify(document)).digest('hex');

/** As `readDocument`, for a text. */
export function parseSource(file: string, source: string): SourceDocument {
  const { document: parsed, locationAt, toJS } = parseYaml(file, source);
  const written = toJS() as Document | null;
  if (written === null || typeof written !== 'object' || Array.isArray(written)) {
    throw new ContractError(file, [{ line: 1, column: 1, message: 'is not an OpenAPI document: the root must be an object' }]);
  }

  const { document, writtenAt, problems } = applyOperationDefaults(written);
  const locate: Locate = (path) => locationAt(offsetOf(parsed.contents, writtenAt(path)));
  return {
    file,
    source,
    written,
    original: document,
    document: assignOperationIds(document),
    text: textOf(source, written, document),
    defaultsProblems: problems.map(([path, problem]) => problemAt({ locate }, path, problem)),
    // Defaults that are wrong are not applied: what is left is not what anything was generated from.
    digest: digestOf(problems.length > 0 ? written : document),
    locate,
    writtenAt,
  };
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
