/** Makes one YAML file of an OpenAPI document, which may be JSON, or split into files by `$ref`. */
import {
  ContractError,
  type Problem,
  type ReadOptions,
  type SourceDocument,
  formatYaml,
  readDocument,
  versionProblem,
} from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { displayPath } from '../project-config.ts';

/** A document in one file. `notes` say what was changed. */
export interface Bundled {
  readonly text: string;
  readonly notes: readonly string[];
  /** What it was made of: problems are located there, in the files that were written. */
  readonly source: SourceDocument;
}

/**
 * Reads an OpenAPI document of a version that is supported, YAML or JSON, in one file or split by `$ref`.
 *
 * @throws ContractError if it is not OpenAPI, cannot be parsed, or a reference cannot be resolved; each problem with its location.
 */
export function readSupported(file: string, options?: ReadOptions): SourceDocument {
  const source = readDocument(file, options);
  const version = versionProblem(source.written, file);
  if (version !== undefined) throw new ContractError(file, [{ line: 1, column: 1, message: version }]);
  return source;
}

/** As `readSupported`, and bundled. */
export const bundleSpec = (file: string, options?: ReadOptions): Bundled => bundleSource(readSupported(file, options));

/**
 * Moves what the `$ref`s of a document find in other files into its components. A YAML file without such references is returned
 * unchanged, comments included, unless other parsers refuse it.
 *
 * @returns YAML.
 */
export function bundleSource(source: SourceDocument): Bundled {
  const { file, files, written, source: text, mayHaveMergeKeys, warnings } = source;
  const bundled = (text: string, ...notes: string[]): Bundled => ({ text, notes, source });
  if (files.length > 1) return bundled(formatYaml(written), `bundled ${files.length} files`);
  if (text.trimStart().startsWith('{')) return bundled(formatYaml(written), `${displayPath(file)} is JSON: written as YAML`);
  if (mayHaveMergeKeys) return bundled(formatYaml(written));
  return warnings.length === 0
    ? bundled(text)
    : bundled(indentBrackets(text, warnings), `indented ${plural(warnings.length, 'closing bracket')}`);
}

/** @param brackets each alone before its line's end. One space is enough, and no line moves. */
export function indentBrackets(text: string, brackets: readonly Problem[]): string {
  const lines = new Set(brackets.map(({ line }) => line));
  return text
    .split('\n')
    .map((line, i) => (lines.has(i + 1) ? ` ${line}` : line))
    .join('\n');
}

/**
 * Applies the `x-operation-defaults` of a document, so that any tool reads the whole contract.
 *
 * @returns the same if it has none. @throws ContractError with everything that is wrong with them.
 */
export function applyDefaults(bundled: Bundled): Bundled {
  const { source, notes } = bundled;
  if (source.defaultsProblems.length > 0) throw new ContractError(source.file, source.defaultsProblems);
  if (source.original === source.written) return bundled;
  return { source, text: formatYaml(source.original), notes: [...notes, 'applied x-operation-defaults'] };
}
