/** Reads what check-schema compares, from the files of a project. */
import { join } from 'node:path';
import { readDocument, type SourceDocument } from '@specwright/contract/document';
import { configFile, displayPath, type ProjectConfig } from '../project-config.ts';
import type { SchemaComparison } from './compare-schemas.ts';
import { readDatabaseFiles } from './database-locations.ts';
import { readSchemaMap } from './schema-map.ts';

/** @param source the spec; that of the project if it is not given. @throws Error if a file cannot be read. */
export function readComparison(
  project: ProjectConfig,
  source: SourceDocument = readDocument(displayPath(join(project.root, project.spec))),
): Omit<SchemaComparison, 'tables'> {
  const path = configFile(project, 'schema-map.yaml');
  return { source, map: readSchemaMap(path), mapFile: displayPath(path, project.root), ...readDatabaseFiles(project) };
}
