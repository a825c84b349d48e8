/** Makes one YAML file of an OpenAPI 3.0 document, which may be JSON, or split into files by `$ref`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BaseResolver, bundle, createConfig, getLineColLocation, type NormalizedProblem } from '@redocly/openapi-core';
import { ContractError, formatYaml, parseSource, parseYaml, readText, type Problem } from '@specwright/server/document';
import { displayPath } from '../project-config.ts';

/** A document in one file. `notes` say what was changed. */
export interface Bundled {
  readonly text: string;
  readonly notes: string[];
}

/**
 * Reads an OpenAPI 3.0 document of any patch level, YAML or JSON, and moves what its `$ref`s find in other files into
 * its components. A YAML file without such references is returned unchanged, comments included.
 *
 * @returns YAML.
 * @throws ContractError if it is not OpenAPI 3.0, cannot be parsed, or a reference cannot be resolved; each problem with its location.
 */
export async function bundleSpec(file: string): Promise<Bundled> {
  const text = readText(file);
  const document = parseYaml(file, text, { merge: true }).toJS();
  requireVersion(file, document);

  const isSplit = hasExternalReference(document);
  const isJson = text.trimStart().startsWith('{');
  if (!isSplit && !isJson && !/^\s*(- )?<<\s*:/m.test(text)) return { text, notes: [] };
  if (!isSplit) return { text: toYaml(file, document), notes: isJson ? [`${displayPath(file)} is JSON: written as YAML`] : [] };

  const config = await createConfig({});
  const externalRefResolver = new FileResolver(config.resolve);
  const result = await bundle({ ref: resolve(file), config, externalRefResolver, componentRenamingConflicts: 'warn' }).catch(
    (error: unknown) => {
      throw new ContractError(file, [{ message: (error as Error).message }]);
    },
  );
  const [problems, notes] = classify(result.problems);
  if (problems.length > 0) throw new ContractError(file, problems);
  return {
    text: toYaml(file, result.bundle.parsed),
    notes: [`bundled ${new Set([resolve(file), ...[...result.fileDependencies].map((name) => resolve(name))]).size} files`, ...notes],
  };
}

/**
 * Applies the `x-operation-defaults` of a document, so that any tool reads the whole contract.
 *
 * @returns the same if it has none. @throws ContractError with everything that is wrong with them.
 */
export function applyDefaults(file: string, { text, notes }: Bundled): Bundled {
  const source = parseSource(file, text);
  if (source.defaultsProblems.length > 0) throw new ContractError(file, source.defaultsProblems);
  if (source.text === source.source) return { text, notes };
  return { text: toYaml(file, source.original), notes: [...notes, 'applied x-operation-defaults'] };
}

/** A reference is a URI (RFC 3986): `my%20schemas.yaml` is the file `my schemas.yaml`, unless a file of that name exists. */
class FileResolver extends BaseResolver {
  override resolveExternalRef(base: string | null, ref: string): string {
    const path = super.resolveExternalRef(base, ref);
    if (!/%[0-9a-f]{2}/i.test(path) || existsSync(path)) return path;
    const decoded = path.replace(/(%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
    return existsSync(decoded) ? decoded : path;
  }
}

/** Separates what makes the document unusable from what a person should know. */
function classify(reported: readonly NormalizedProblem[]): [problems: Problem[], notes: string[]] {
  const problems: Problem[] = [];
  const notes: string[] = [];
  for (const {
    severity,
    message,
    location: [location],
  } of reported) {
    if (location === undefined) continue;
    const { start } = getLineColLocation(location);
    const file = displayPath(location.source.absoluteRef);
    const reference = referenceAt(location);
    // `externalValue` of an example is documentation: nothing is served from it.
    const isExample = reference === undefined && message.startsWith("Can't resolve");
    if (severity !== 'error' || isExample) {
      notes.push(`${file}:${start.line}:${start.col} ${isExample ? 'an externalValue cannot be read: left unchanged' : message}`);
    } else {
      const text = reference === undefined ? message : `$ref ${reference} cannot be resolved: ${formatReason(message)}`;
      problems.push({ file, line: start.line, column: start.col, message: text });
    }
  }
  return [problems, notes];
}

/** The `$ref` at a location of one of the files, as written. */
function referenceAt(location: NormalizedProblem['location'][number]): string | undefined {
  const { start, end } = getLineColLocation(location);
  const text = location.source
    .getLines()
    .slice(start.line - 1, (end ?? start).line + 1)
    .join('\n');
  return /\$ref["']?\s*:\s*["']?([^"'\s,}]+)/.exec(text)?.[1];
}

function formatReason(message: string): string {
  const [, detail] = /^Can't resolve \$ref: (.*)$/s.exec(message) ?? [];
  if (detail === undefined) return 'the file has no such part. Add it, or fix the reference';
  const missing = /ENOENT[^']*'([^']+)'/.exec(detail)?.[1];
  return missing === undefined ? detail : `there is no file ${displayPath(missing)}. Add it, or fix the reference`;
}

function requireVersion(file: string, document: unknown): void {
  const { swagger, openapi } = (document ?? {}) as { swagger?: unknown; openapi?: unknown };
  if (typeof openapi === 'string' && /^3\.0\.\d+(-.*)?$/.test(openapi)) return;
  const refusal = (message: string) => new ContractError(file, [{ line: 1, column: 1, message }]);
  if (swagger !== undefined)
    throw refusal(`is Swagger 2.0, and only OpenAPI 3.0 is supported: \`npx swagger2openapi ${file} --outfile openapi.yaml\` converts it`);
  if (String(openapi) === '3.0' || openapi === 3) throw refusal('has no full OpenAPI version: write `openapi: 3.0.3`');
  if (typeof openapi === 'string' && openapi.startsWith('3.'))
    throw refusal(
      `is OpenAPI ${openapi}, and only 3.0 is supported: \`npx @apiture/openapi-down-convert --input ${file} --output openapi.yaml\` converts it`,
    );
  if (typeof openapi === 'number' || /^\d/.test(String(openapi)))
    throw refusal(`is OpenAPI ${String(openapi)}, and only 3.0 is supported. Swagger 2.0 says \`swagger: '2.0'\` in its place`);
  throw refusal('is not an OpenAPI document: it has no `openapi: 3.0.3` at its root');
}

function hasExternalReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const reference = (value as { $ref?: unknown }).$ref;
  if (typeof reference === 'string' && !reference.startsWith('#')) return true;
  return Object.values(value).some(hasExternalReference);
}

function toYaml(file: string, document: unknown): string {
  try {
    return formatYaml(document);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ContractError(file, [
      { message: 'a $ref to another file contains itself where OpenAPI has no name for it: give it one in components' },
    ]);
  }
}
