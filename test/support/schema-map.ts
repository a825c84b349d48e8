/** The contract, the map and the files of the database, to be held together with a change in one of them. */
import { readFileSync } from 'node:fs';
import { databaseFiles, MAP } from '../../scripts/check-schema.ts';
import { compareSchemas } from '../../scripts/schema/compare.ts';
import { parseSchemaMap } from '../../scripts/schema/map.ts';
import { parseSource } from '../../src/contract/document.ts';
import type { Table } from '../../src/db/catalog.ts';

export const SPEC = readFileSync('spec/petstore.yaml', 'utf8');
export const MAPPED = readFileSync(MAP, 'utf8');
export const FILES = databaseFiles();

/** What `npm run check-schema` says of these tables, with the texts that are given in place of the committed ones. */
export function compare(tables: readonly Table[], { spec = SPEC, map = MAPPED, files = FILES } = {}): string[] {
  const source = parseSource('spec/petstore.yaml', spec);
  return compareSchemas({ source, map: parseSchemaMap(MAP, map), mapFile: MAP, tables, ...files });
}
