/** The contract, the map and the files of the database, to be held together with a change in one of them. */
import { readFileSync } from 'node:fs';
import { databaseFiles, MAP } from '../../packages/cli/src/check-schema.ts';
import { compareSchemas } from '../../packages/cli/src/schema/compare.ts';
import { parseSchemaMap } from '../../packages/cli/src/schema/map.ts';
import { parseSource } from '@specwright/server';
import type { Table } from '@specwright/postgres';

export const SPEC = readFileSync('spec/petstore.yaml', 'utf8');
export const MAPPED = readFileSync(MAP, 'utf8');
export const FILES = databaseFiles();

/** What `npm run check-schema` says of these tables, with the texts that are given in place of the committed ones. */
export function compare(tables: readonly Table[], { spec = SPEC, map = MAPPED, files = FILES } = {}): string[] {
  const source = parseSource('spec/petstore.yaml', spec);
  return compareSchemas({ source, map: parseSchemaMap(MAP, map), mapFile: MAP, tables, ...files });
}
