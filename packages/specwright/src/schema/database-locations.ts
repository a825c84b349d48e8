/** Locates a column or a constraint: in the committed dump, and in the migration that made it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from '../libraries/zod.ts';
import { type Project, migrationsFolder } from '../project-config.ts';

interface TextFile {
  readonly file: string;
  readonly text: string;
}

export interface DatabaseFiles {
  /** The committed dump of the schema. */
  readonly dump: TextFile;
  readonly migrations: readonly TextFile[];
}

export function readDatabaseFiles(project: Project): DatabaseFiles {
  const read = (file: string): TextFile => ({ file, text: readFileSync(join(project.root, file), 'utf8') });
  const folder = migrationsFolder(project);
  return {
    dump: read(project.schemaDump),
    migrations: readdirSync(join(project.root, folder))
      .sort()
      .map((name) => read(join(folder, name))),
  };
}

/** `generated/schema.sql:119 (src/db/migrations/0001_first.ts:44)`, as exact as it can be determined. */
export function formatDatabaseLocation({ dump, migrations }: DatabaseFiles, table: string, name?: string, column = name): string {
  const block = (text: string) => [table, `"${table}"`].some((one) => text.startsWith(`TABLE ${one} (`));
  const starts = name === undefined ? [''] : ['  ', '  CONSTRAINT '].flatMap((start) => [`${start}${name} `, `${start}"${name}" `]);
  const inDump = lineIn(dump.text, block, (line) => starts.some((start) => line.startsWith(start)));
  const opens = (text: string) => new RegExp(`(?:CREATE|ALTER) TABLE (?:\\w+ )*"?${escaped(table)}(?!\\w)`).test(text);
  // A constraint without a name is part of its column. The last migration that mentions it counts.
  const mentions = [name, column].flatMap((word) =>
    migrations.flatMap(({ file, text }) => {
      const line = lineIn(text, opens, (candidate) => word === undefined || new RegExp(`(?<!\\w)${escaped(word)}(?!\\w)`).test(candidate));
      return line === undefined ? [] : [`${file}:${line}`];
    }),
  );
  const exact = mentions.length > 0 ? ` (${mentions.at(name === undefined ? 0 : -1) ?? ''})` : '';
  return `${dump.file}:${inDump ?? 1}${exact}`;
}

const escaped = (name: string): string => name.replace(/[^\w]/g, '\\$&');

/** The first matching line within the statement that `opens` matches; statements end with `;`. */
function lineIn(text: string, opens: (line: string) => boolean, matches: (line: string) => boolean): number | undefined {
  let inside = false;
  for (const [i, line] of text.split('\n').entries()) {
    inside ||= opens(line);
    if (inside && matches(line) && !line.trimStart().startsWith('--')) return i + 1;
    if (/;\s*$/.test(line)) inside = false;
  }
  return undefined;
}

/** schema-map.yaml: which tables hold which schemas, and which differences are intended. */
export interface SchemaMap {
  readonly tables: Readonly<Record<string, MappedTable>>;
  readonly differences: Reasons;
  readonly 'not in the contract': Readonly<Record<'tables' | 'columns' | 'constraints', Reasons>>;
  readonly 'not in the database': Readonly<Record<'schemas' | 'properties', Reasons>>;
}

export interface MappedTable {
  /** Schemas of records that are read, that are created, and of patches (RFC 7396). */
  readonly read: readonly string[];
  readonly create: readonly string[];
  readonly patch: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  /** Whether it is not in the map, but derived from the paths of the spec. */
  readonly isDerived?: boolean;
}

type Reasons = Readonly<Record<string, string>>;

const REASON = z.string().min(5, 'must give a reason');
const NAMES = z.array(z.string()).default([]);
const REASONS = z.record(z.string(), REASON).default({});

const MAP: z.ZodType<SchemaMap> = z.strictObject({
  tables: z
    .record(
      z.string(),
      z.strictObject({
        read: NAMES,
        create: NAMES,
        patch: NAMES,
        columns: z.record(z.string(), z.string()),
      }),
    )
    .default({}),
  differences: REASONS,
  'not in the contract': z
    .strictObject({ tables: REASONS, columns: REASONS, constraints: REASONS })
    .default({ tables: {}, columns: {}, constraints: {} }),
  'not in the database': z.strictObject({ schemas: REASONS, properties: REASONS }).default({ schemas: {}, properties: {} }),
});

/** @throws Error with every key that is unknown or not valid. */
export function parseSchemaMap(file: string, text: string): SchemaMap {
  const read = MAP.safeParse(parse(text));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}

export const readSchemaMap = (file: string): SchemaMap => parseSchemaMap(file, readFileSync(file, 'utf8'));
