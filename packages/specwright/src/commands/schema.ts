/** `specwright check-schema` and `specwright schema` */
import type { Database } from '@specwright/postgres';
import { defineCommand, plural, print } from '@specwright/server/command';
import { CONTRACTS_OPTION, forEachContract, selectContracts } from '../select-contracts.ts';
import { displayPath, loadSchema, readProject } from '../project-config.ts';

/** `specwright check-schema` */
export const checkSchema = defineCommand({
  description:
    'Runs the migrations on a new, embedded database, and compares nullability, types, enums, lengths and ranges of its columns\nwith the properties that schema-map.yaml of the configuration folder maps them to; for one of several specs,\nin the folder of its name there. It names migrations that are not registered.',
  options: {
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
    database: { type: 'string', value: 'URL', description: 'a database that has the migrations (default: a new one)' },
  },
  examples: ['specwright check-schema'],
  failure: 'database and contract differ, the map is incomplete, or a migration is not registered',
  async run({ values }) {
    const { connect, readTables } = await import('@specwright/postgres');
    const { readDocument } = await import('@specwright/contract/document');
    const { withMigratedDatabase } = await import('../database/migrated-database.ts');
    const { findSchemaProblems } = await import('../schema/compare-schemas.ts');
    const { readComparison, unregisteredMigrations, unregisteredProblems } = await import('../schema/read-comparison.ts');
    const project = readProject();
    const contracts = selectContracts(project, values).map((contract) => ({
      ...contract,
      comparison: readComparison(contract, readDocument(displayPath(contract.spec))),
    }));
    const schema = await loadSchema(project);
    const unregistered = unregisteredProblems(await unregisteredMigrations(project, schema), project).map(
      ({ message, fix }) => `${message}: ${fix}`,
    );
    const { database } = values;
    const tables = await (database === undefined
      ? withMigratedDatabase(project, schema, readTables)
      : usePool(connect({ url: database, pool: 1, acquireTimeoutMs: 30_000, statementTimeoutMs: 0 }), readTables));
    for (const line of unregistered) print(line);
    await forEachContract(contracts, async ({ comparison }) => {
      const { source, map, mapFile } = comparison;
      const found = findSchemaProblems({ ...comparison, tables });
      for (const { message } of found) print(message);
      const fix = found.some(({ change }) => change !== undefined) ? 'run `npx specwright add-migration`' : 'change one of them';
      if (found.length > 0)
        throw new Error(
          `${plural(found.length, 'difference')} between ${source.file} and the database: ${fix}, or give the reason in ${mapFile}`,
        );
      if (unregistered.length === 0) print(`${source.file} and the database agree: ${plural(Object.keys(map.tables).length, 'table')}`);
    });
    if (unregistered.length > 0) throw new Error(`${plural(unregistered.length, 'migration')} not registered`);
  },
});

const usePool = <T>(db: Database, use: (db: Database) => Promise<T>): Promise<T> => use(db).finally(() => db.destroy());

/** `specwright schema` */
export const writeSchema = defineCommand({
  description:
    'Runs the migrations on a new, embedded database, and writes the schema that they make: schema.sql, to be read,\ndatabase.ts, the types of the tables, and schema-digests.json, by which edits of these are noticed.',
  options: { check: { type: 'boolean', description: 'compares with the committed files only' } },
  examples: ['specwright schema', 'specwright schema --check'],
  failure: 'a migration failed, or with --check a file differs',
  async run({ values }) {
    const { dumpSchema, readTables } = await import('@specwright/postgres');
    const { findStale, firstDifference, writeGenerated } = await import('../generate/generated-files.ts');
    const { withMigratedDatabase } = await import('../database/migrated-database.ts');
    const { schemaFiles } = await import('../database/schema-files.ts');
    const project = readProject();
    const files = await withMigratedDatabase(project, await loadSchema(project), async (db: Database) =>
      schemaFiles(project, await dumpSchema(db), await readTables(db)),
    );
    if (!values.check) {
      for (const path of writeGenerated(project.root, files, '.')) print(`wrote ${path}`);
      return;
    }
    const stale = findStale('.', files).map(({ path, committed = '', generated }) => {
      const { line } = firstDifference(committed, generated);
      return `${path}:${line} differs from what the migrations make: run \`npx specwright schema\` and commit the result`;
    });
    if (stale.length > 0) throw new Error(stale.join('\n'));
    print(`${[...files.keys()].join(' and ')} are what the migrations make`);
  },
});
