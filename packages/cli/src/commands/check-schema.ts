/** `specwright check-schema` */
import { defineCommand } from '../command.ts';
import { plural } from '../format.ts';
import { configFile, displayPath, readProjectConfig } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Runs the migrations on a new, embedded database, and compares nullability, types, enums, lengths and ranges of its columns\nwith the properties that schema-map.yaml of the configuration folder maps them to.',
  options: { spec: { type: 'string', value: 'FILE', description: "an OpenAPI 3.0 document (default: the project's)" } },
  failure: 'database and contract differ, or the map is incomplete',
  async run({ values }) {
    const { readTables } = await import('@specwright/postgres');
    const { readDocument } = await import('@specwright/server');
    const { withMigratedDatabase } = await import('../migrated-database.ts');
    const { compareSchemas } = await import('../schema/compare-schemas.ts');
    const { readDatabaseFiles } = await import('../schema/database-locations.ts');
    const { readSchemaMap } = await import('../schema/schema-map.ts');
    const project = readProjectConfig();
    const source = readDocument(displayPath(values.spec ?? project.spec));
    const mapFile = displayPath(configFile(project, 'schema-map.yaml'));
    const map = readSchemaMap(mapFile);
    const tables = await withMigratedDatabase(project, readTables);
    const problems = compareSchemas({ source, tables, map, mapFile, ...readDatabaseFiles(project) });
    if (problems.length === 0) {
      console.log(`${source.file} and the database agree: ${plural(Object.keys(map.tables).length, 'table')}`);
      return;
    }
    console.log(problems.join('\n'));
    throw new Error(
      `${plural(problems.length, 'difference')} between ${source.file} and the database: change one of them, or record it with its reason in ${mapFile}`,
    );
  },
});
