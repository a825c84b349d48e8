/** `npm run bundle`: makes one YAML file of an OpenAPI 3.0 document, which may be JSON, or split into files by `$ref`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BaseResolver, bundle, createConfig, getLineColLocation, type NormalizedProblem } from '@redocly/openapi-core';
import { LineCounter, parseDocument, stringify } from 'yaml';
import { ContractError, type Problem } from '@specwright/server';
import { UsageError, runScript } from './run.ts';

const USAGE = 'usage: npm run bundle -- FILE [--out FILE]';

/** A document in one file. `notes` say what was changed to make it so. */
export interface Bundled {
  readonly text: string;
  readonly notes: string[];
}

/**
 * Reads an OpenAPI 3.0 document of any patch level, YAML or JSON, and puts what its `$ref`s find in other files into
 * its components. A YAML file that refers to no other is returned as it is, comments included.
 *
 * @returns YAML.
 * @throws ContractError if it is not OpenAPI 3.0, cannot be parsed, or refers to what is not there; each problem with its place.
 */
export async function bundleSpec(file: string): Promise<Bundled> {
  const text = read(file);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  if (parsed.errors.length > 0) {
    throw new ContractError(
      file,
      parsed.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, column: lines.linePos(pos[0]).col, message })),
    );
  }
  const document = parsed.toJS({ maxAliasCount: 1000 }) as unknown;
  requireVersion(file, document);

  const isSplit = hasForeignReference(document);
  const isJson = text.trimStart().startsWith('{');
  if (!isSplit && !isJson && !/^\s*(- )?<<\s*:/m.test(text)) return { text, notes: [] };
  if (!isSplit) return { text: toYaml(file, document), notes: isJson ? [`${near(file)} is JSON: written as YAML`] : [] };

  const config = await createConfig({});
  const externalRefResolver = new FileResolver(config.resolve);
  const result = await bundle({ ref: resolve(file), config, externalRefResolver, componentRenamingConflicts: 'warn' }).catch(
    (error: unknown) => {
      throw new ContractError(file, [{ message: (error as Error).message }]);
    },
  );
  const [problems, notes] = sort(result.problems);
  if (problems.length > 0) throw new ContractError(file, problems);
  const others = [...result.fileDependencies].filter((name) => resolve(name) !== resolve(file)).map(near);
  return {
    text: toYaml(file, result.bundle.parsed),
    notes: [`made of ${others.length + 1} files: ${[near(file), ...others].join(', ')}`, ...notes],
  };
}

/** A reference is a URI (RFC 3986): `my%20schemas.yaml` is the file `my schemas.yaml`, unless there is one that is called so. */
class FileResolver extends BaseResolver {
  override resolveExternalRef(base: string | null, ref: string): string {
    const path = super.resolveExternalRef(base, ref);
    if (!/%[0-9a-f]{2}/i.test(path) || existsSync(path)) return path;
    const decoded = path.replace(/(%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
    return existsSync(decoded) ? decoded : path;
  }
}

/** @returns what makes the document unusable, and what a person should know. */
function sort(reported: readonly NormalizedProblem[]): [problems: Problem[], notes: string[]] {
  const problems: Problem[] = [];
  const notes: string[] = [];
  for (const {
    severity,
    message,
    location: [location],
  } of reported) {
    if (location === undefined) continue;
    const { start } = getLineColLocation(location);
    const at = near(location.source.absoluteRef);
    const written = reference(location);
    // What an example refers to is for people: nothing is served from it.
    const isExample = written === undefined && message.startsWith("Can't resolve");
    if (severity !== 'error' || isExample) {
      notes.push(`${at}:${start.line}:${start.col} ${isExample ? 'an externalValue cannot be read: left as it is' : message}`);
    } else {
      const said = written === undefined ? message : `$ref ${written} leads nowhere: ${reason(message)}`;
      problems.push({ file: at, line: start.line, column: start.col, message: said });
    }
  }
  return [problems, notes];
}

/** The reference that stands at a place of one of the files, as it is written. */
function reference(location: NormalizedProblem['location'][number]): string | undefined {
  const { start, end } = getLineColLocation(location);
  const text = location.source
    .getLines()
    .slice(start.line - 1, (end ?? start).line + 1)
    .join('\n');
  return /\$ref["']?\s*:\s*["']?([^"'\s,}]+)/.exec(text)?.[1];
}

function reason(message: string): string {
  const [, detail] = /^Can't resolve \$ref: (.*)$/s.exec(message) ?? [];
  if (detail === undefined) return 'there is no such part in the file. Add it, or mend the reference';
  const missing = /ENOENT[^']*'([^']+)'/.exec(detail)?.[1];
  return missing === undefined ? detail : `there is no file ${near(missing)}. Add it, or mend the reference`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ContractError(file, [{ message: `cannot be read: ${(cause as Error).message}` }]);
  }
}

function requireVersion(file: string, document: unknown): void {
  const { swagger, openapi } = (document ?? {}) as { swagger?: unknown; openapi?: unknown };
  if (typeof openapi === 'string' && /^3\.0\.\d+(-.*)?$/.test(openapi)) return;
  const refuse = (message: string) => new ContractError(file, [{ line: 1, column: 1, message }]);
  if (swagger !== undefined)
    throw refuse(`is Swagger 2.0, and only OpenAPI 3.0 is served: \`npx swagger2openapi ${file} --outfile openapi.yaml\` converts it`);
  if (String(openapi) === '3.0' || openapi === 3)
    throw refuse('does not say which OpenAPI 3.0 it is: write the whole version, as `openapi: 3.0.3`');
  if (typeof openapi === 'string' && openapi.startsWith('3.'))
    throw refuse(
      `is OpenAPI ${openapi}, and only 3.0 is served: \`npx @apiture/openapi-down-convert --input ${file} --output openapi.yaml\` converts what 3.0 can say`,
    );
  throw refuse('is not an OpenAPI document: it has no `openapi: 3.0.3` at its root');
}

function hasForeignReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const reference = (value as { $ref?: unknown }).$ref;
  if (typeof reference === 'string' && !reference.startsWith('#')) return true;
  return Object.values(value).some(hasForeignReference);
}

function toYaml(file: string, document: unknown): string {
  try {
    // What is text to one reader of YAML and a boolean to another (`no`, `on`) is quoted for both.
    return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ContractError(file, [
      { message: 'a $ref to another file contains itself where OpenAPI has no name for it: give it one in components' },
    ]);
  }
}

const near = (file: string): string => {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError('name one file');
  const { text, notes } = await bundleSpec(file);
  for (const note of notes) console.error(note);
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
}

await runScript(import.meta.url, USAGE, main);
