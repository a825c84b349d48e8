/** Makes one YAML file of an OpenAPI document, which may be JSON, or split into files by `$ref`. */
import { ContractError, formatYaml, parseSource, readText, versionProblem } from '@specwright/contract/document';
import { displayPath } from '../project-config.ts';

/** A document in one file. `notes` say what was changed. */
export interface Bundled {
  readonly text: string;
  readonly notes: string[];
}

/**
 * Reads an OpenAPI document of a version that is supported, YAML or JSON, and moves what its `$ref`s find in other files into
 * its components. A YAML file without such references is returned unchanged, comments included.
 *
 * @returns YAML.
 * @throws ContractError if it is not OpenAPI, cannot be parsed, or a reference cannot be resolved; each problem with its location.
 */
export function bundleSpec(file: string): Bundled {
  const text = readText(file);
  const { files, written } = parseSource(file, text, { merge: true });
  const version = versionProblem(written, file);
  if (version !== undefined) throw new ContractError(file, [{ line: 1, column: 1, message: version }]);

  const isJson = text.trimStart().startsWith('{');
  if (files.length > 1) return { text: formatYaml(written), notes: [`bundled ${files.length} files`] };
  if (isJson) return { text: formatYaml(written), notes: [`${displayPath(file)} is JSON: written as YAML`] };
  return { text: /^ *(- )?<<[ \t]*:/m.test(text) ? formatYaml(written) : text, notes: [] };
}

/**
 * Applies the `x-operation-defaults` of a document, so that any tool reads the whole contract.
 *
 * @returns the same if it has none. @throws ContractError with everything that is wrong with them.
 */
export function applyDefaults(file: string, { text, notes }: Bundled): Bundled {
  const source = parseSource(file, text);
  if (source.defaultsProblems.length > 0) throw new ContractError(file, source.defaultsProblems);
  if (source.original === source.written) return { text, notes };
  return { text: formatYaml(source.original), notes: [...notes, 'applied x-operation-defaults'] };
}
