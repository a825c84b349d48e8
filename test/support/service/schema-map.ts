/** The contract, the schema map and the files of the database, to be compared with a change in one of them. */
import { readFileSync } from 'node:fs';
import { compareSchemas, parseSchemaMap, readDatabaseFiles } from 'specwright/schema';
import { readProjectConfig } from 'specwright';
import { parseSource } from '@specwright/contract/document';
import type { Table } from '@specwright/postgres';

export const SPEC = readFileSync('spec/petstore.yaml', 'utf8');
export const MAP = '.config/schema-map.yaml';
export const MAPPED = readFileSync(MAP, 'utf8');
type Files = ReturnType<typeof readDatabaseFiles>;
export const FILES: Files = readDatabaseFiles(readProjectConfig());

interface Given {
  readonly spec?: string;
  readonly map?: string;
  readonly files?: Files;
}

/** The problems that `npx specwright check-schema` reports for these tables; texts that are given replace the committed ones. */
export function compare(tables: readonly Table[], { spec = SPEC, map = MAPPED, files = FILES }: Given = {}): string[] {
  const source = parseSource('spec/petstore.yaml', spec);
  return compareSchemas({ source, map: parseSchemaMap(MAP, map), mapFile: MAP, tables, ...files });
}
