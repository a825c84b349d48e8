/** The schema map with the table of a resource. */
import { parseSchemaMap } from '../schema/schema-map.ts';
import { mappedTable, type ResourceConstraint } from './resource-table.ts';
import type { Resource } from './resource.ts';
import { appendToYaml, removeFromYaml, toYaml } from './spec/yaml-insert.ts';

const INDENT = 2;
const OUTSIDE = 'not in the contract';
const OWNER = 'Whose it is. The credentials say so in every request.';
const RANGE = 'A date-time has four digits of a year (RFC 3339), which its format checks.';
const UNSTORED = 'What went wrong is said once, and kept in the log.';

export interface MapOptions {
  readonly file: string;
  readonly text: string;
  readonly resource: Resource;
  readonly constraints: readonly ResourceConstraint[];
  /** New schemas that no table holds. */
  readonly unstored: readonly string[];
}

/** @returns the text of the map. */
export async function mapResource({ file, text, resource, constraints, unstored }: MapOptions): Promise<string> {
  const { names, owner } = resource;
  const { columns, ...schemas } = mappedTable(resource);
  const map = parseSchemaMap(file, text);
  const inBraces = (entries: Readonly<Record<string, string>>) =>
    `{ ${Object.entries(entries)
      .map((entry) => entry.join(': '))
      .join(', ')} }`;
  const lists = Object.entries(schemas).map(([kind, list]) => `  ${kind}: [${list.join(', ')}]\n`);
  const append = async (before: string, path: readonly string[], entries: readonly (readonly [string, string])[]) => {
    const texts = await Promise.all(entries.map(([name, reason]) => toYaml({ [name]: reason }, { indent: INDENT, compact: true })));
    return appendToYaml(before, path, texts, INDENT);
  };

  let result = removeFromYaml(text, ['not in the database', 'schemas', names.One]);
  result = appendToYaml(result, ['tables'], [`${names.table}:\n${lists.join('')}  columns: ${inBraces(columns)}\n`], INDENT);
  const shared = [...(owner === undefined ? [] : [owner]), 'version'].filter((name) => !(name in map[OUTSIDE].columns));
  const ofShared = shared.map((name) => [name, name === 'version' ? 'The ETag.' : OWNER] as const);
  const ranges = constraints.flatMap(({ kind, name }) => (kind === 'range' ? [[name, RANGE] as const] : []));
  result = await append(result, [OUTSIDE, 'columns'], ofShared);
  result = await append(result, [OUTSIDE, 'constraints'], ranges);
  return append(
    result,
    ['not in the database', 'schemas'],
    unstored.map((name) => [name, UNSTORED] as const),
  );
}
