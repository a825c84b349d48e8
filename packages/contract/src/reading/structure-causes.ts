/** The causes of what a check of the structure finds, where its own messages do not say what to write. */
import { isVersion30 } from '../document/openapi-version.ts';
import { kindAt } from '../document/object-places.ts';
import { isObject, valueAt, type Document } from '../document/openapi.ts';
import { type Problem, displayFile } from '../document/problems.ts';
import type { SourceDocument } from './source-document.ts';

/** What to write in the place of a type that is null; `undefined` for any other value. */
export function nullType(document: Document, keys: readonly string[]): string | undefined {
  const isInList = /^\d+$/.test(keys.at(-1) ?? '');
  const schema = keys.slice(0, isInList ? -2 : -1);
  if (keys[schema.length] !== 'type' || kindAt(schema) !== 'schema') return undefined;
  const value = valueAt(document, keys);
  const types = Array.isArray(value) ? (value as unknown[]) : [value];
  const hasNull = types.some((type) => type === null || type === 'null');
  if (hasNull && isVersion30(document))
    return "OpenAPI 3.0 has no type null: write `nullable: true` beside the type of the other values, and remove 'null'";
  return types.includes(null) ? "`type` is null, which is no text: write 'null', in quotes" : undefined;
}

/** What to write in the place of a key that a map of paths or of responses does not have; `undefined` anywhere else. */
export function wrongKey(keys: readonly string[]): string | undefined {
  const key = keys.at(-1) ?? '';
  const map = keys.slice(0, -1);
  if (keys.length === 2 && map[0] === 'paths' && !key.startsWith('/'))
    return `a path begins with a slash: write \`/${key}\`, not \`${key}\``;
  if (map.at(-1) === 'responses' && kindAt(map.slice(0, -1)) === 'operation')
    return `\`${key}\` is not a status: write 100 to 599, all of a class such as \`4XX\`, or \`default\``;
  return undefined;
}

const minorOf = (version: unknown): string | undefined => /^3\.\d+/.exec(String(version))?.[0];

/** One problem for each file of another version of OpenAPI, in the place of those that it has for that reason. */
export function withoutOtherVersions({ file: root, files, original }: SourceDocument, problems: readonly Problem[]): Problem[] {
  const own = minorOf(original.openapi);
  const others = files.filter(({ value }) => isObject(value) && (minorOf(value['openapi']) ?? own) !== own);
  const causes = others.flatMap(({ file, value }): Problem[] => {
    if (!problems.some((problem) => problem.file === file)) return [];
    const { openapi } = value as { openapi: unknown };
    const message = `is OpenAPI ${String(openapi)}, and ${displayFile(root)}, which refers to it, is ${original.openapi}: write both in one version (struct)`;
    return [{ file, line: 1, column: 1, message }];
  });
  return [...problems.filter(({ file }) => !causes.some((cause) => cause.file === file)), ...causes];
}
