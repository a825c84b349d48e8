/** `npm run check-schema`: fails where the database and the contract say different things of the same value. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDocument } from '@specwright/server';
import { readTables } from '@specwright/postgres';
import { SPEC_FILE } from './spec-file.ts';
import { withMigratedDatabase } from './migrated.ts';
import { runScript } from './run.ts';
import { compareSchemas } from './schema/compare.ts';
import { readSchemaMap } from './schema/map.ts';
import type { DatabaseFiles, TextFile } from './schema/places.ts';
import { count } from './words.ts';

export const MAP = '.config/schema-map.yaml';
const MIGRATIONS = 'src/db/migrations';

const textOf = (file: string): TextFile => ({ file, text: readFileSync(file, 'utf8') });

/** The files that problems point into. */
export const databaseFiles = (): DatabaseFiles => ({
  dump: textOf('src/db/schema.sql'),
  migrations: readdirSync(MIGRATIONS)
    .sort()
    .map((name) => textOf(join(MIGRATIONS, name))),
});

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { spec: { type: 'string' } } });
  const source = readDocument(relative(process.cwd(), resolve(values.spec ?? SPEC_FILE)));
  const map = readSchemaMap(MAP);
  const tables = await withMigratedDatabase(readTables);
  const problems = compareSchemas({ source, tables, map, mapFile: MAP, ...databaseFiles() });
  if (problems.length === 0) {
    console.log(`${source.file} and the database are together: ${Object.keys(map.tables).length} tables`);
    return;
  }
  console.log(problems.join('\n'));
  throw new Error(
    `${count(problems.length, 'difference')} between ${source.file} and the database: change one of them, or record it with its reason in ${MAP}`,
  );
}

await runScript(import.meta.url, 'usage: npm run check-schema [-- --spec FILE]', main);
