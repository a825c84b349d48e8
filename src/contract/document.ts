/** Reads an OpenAPI file (YAML or JSON) and knows on which line each part of it stands. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LineCounter, isNode, parseDocument } from 'yaml';
import { ContractError, type Fault, type Locate } from './faults.ts';
import type { Document } from './openapi.ts';

export interface SourceDocument {
  readonly file: string;
  readonly source: string;
  readonly document: Document;
  /** SHA-256 of the content, in hex: comments, order of lines and quoting make no difference, the contract does. */
  readonly digest: string;
  readonly locate: Locate;
}

/**
 * Reads and parses the file.
 *
 * @throws ContractError with every syntax error and its line, or when the file cannot be read.
 */
export function readDocument(file: string): SourceDocument {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ContractError(file, [{ message: `cannot be read: ${(cause as Error).message}` }]);
  }
  return parseSource(file, source);
}

/** As `readDocument`, for a text that is already at hand. */
export function parseSource(file: string, source: string): SourceDocument {
  const lines = new LineCounter();
  // JSON is YAML 1.2, so one reader serves both. Aliases are bounded against "billion laughs" documents.
  const parsed = parseDocument(source, { lineCounter: lines, prettyErrors: false, merge: false });
  const faults: Fault[] = parsed.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { line, column: col, message: error.message };
  });
  if (faults.length > 0) throw new ContractError(file, faults);
  const document = parsed.toJS({ maxAliasCount: 1000 }) as Document | null;
  if (document === null || typeof document !== 'object' || Array.isArray(document)) {
    throw new ContractError(file, [{ line: 1, column: 1, message: 'is not an OpenAPI document: the root must be an object' }]);
  }

  const locate: Locate = (path) => {
    // A place that is missing is reported at the nearest parent that is there.
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? parsed.contents : parsed.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) {
        const { line, col } = lines.linePos(node.range[0]);
        return { line, column: col };
      }
    }
    return undefined;
  };
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  return { file, source, document, digest, locate };
}
