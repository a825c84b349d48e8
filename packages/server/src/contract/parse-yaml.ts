/** Parses YAML, or JSON, which is YAML 1.2; every syntax error has its line. */
import { LineCounter, parseDocument, type Document as YamlDocument } from 'yaml';
import { ContractError } from './problems.ts';

export interface ParsedYaml {
  readonly document: YamlDocument.Parsed;
  /** The location of an offset in the text; line and column count from 1. */
  readonly locationAt: (offset: number) => { line: number; column: number };
  /** The text as values. Aliases are bounded against "billion laughs" documents. */
  readonly toJS: () => unknown;
}

/**
 * Parses a text.
 *
 * @param merge whether `<<` merges maps, as YAML 1.1 has it.
 * @throws ContractError with every syntax error.
 */
export function parseYaml(file: string, text: string, { merge = false } = {}): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge });
  const locationAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    throw new ContractError(
      file,
      document.errors.map(({ pos, message }) => ({ ...locationAt(pos[0]), message })),
    );
  }
  return { document, locationAt, toJS: () => document.toJS({ maxAliasCount: 1000 }) as unknown };
}
