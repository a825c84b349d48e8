/** `specwright check-schema` */
import { defineCommand } from '../command.ts';
import { plural } from '../format.ts';
import { displayPath, loadSchema, readProjectConfig } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Runs the migrations on a new, embedded database, and compares nullability, types, enums, lengths and ranges of its columns\nwith the properties that schema-map.yaml of the configuration folder maps them to. It names migrations that are not registered.',
  options: { spec: { type: 'string', value: 'FILE', description: "an OpenAPI 3.0 document (default: the project's)" } },
  failure: 'database and contract differ, the map is incomplete, or a migration is not registered',
  async run({ values }) {
    const { readTables } = await import('@specwright/postgres');
    const { readDocument } = await import('@specwright/server');
    const { withMigratedDatabase } = await import('../migrated-database.ts');
    const { unregisteredMigrations, unregisteredProblems } = await import('../migrations/unregistered.ts');
    const { compareSchemas } = await import('../schema/compare-schemas.ts');
    const { readComparison } = await import('../schema/read-comparison.ts');
    const project = readProjectConfig();
    const comparison = readComparison(project, readDocument(displayPath(values.spec ?? project.spec)));
    const { source, map, mapFile } = comparison;
    const schema = await loadSchema(project);
    const unregistered = unregisteredProblems(await unregisteredMigrations(project, schema), project).map(
      ({ message, fix }) => `${message}: ${fix}`,
    );
    const tables = await withMigratedDatabase(project, schema, readTables);
    const problems = compareSchemas({ ...comparison, tables });
    const lines = [...unregistered, ...problems];
    if (lines.length > 0) console.log(lines.join('\n'));
    if (problems.length > 0)
      throw new Error(
        `${plural(problems.length, 'difference')} between ${source.file} and the database: change one of them, or record it with its reason in ${mapFile}`,
      );
    if (unregistered.length > 0) throw new Error(`${plural(unregistered.length, 'migration')} not registered`);
    console.log(`${source.file} and the database agree: ${plural(Object.keys(map.tables).length, 'table')}`);
  },
});
