/** Plans the migration of a document's records, runs it, and plans again: the second run of `add-migration` has nothing to write. */
import { type SourceDocument } from '@specwright/contract/document';
import { type Database, readTables } from '@specwright/postgres';
import { mapColumn } from '../../../src/migrations/add-migration.ts';
import { type MigrationPlan } from '../../../src/migrations/migration-plan.ts';
import { statements } from '../../../src/migrations/migration-file.ts';
import { planMigration } from '../../../src/migrations/plan-migration.ts';
import { findSchemaProblems, recordSchemas } from '../../../src/schema/compare-schemas.ts';
import { parseSchemaMap } from '../../../src/schema/database-locations.ts';

/** A table for each record: it is read as it is, and created and changed as the schemas that are named after it, if there are some. */
export function mapOfRecords(source: SourceDocument): string {
  const names = recordSchemas(source);
  const others = (name: string, ...like: RegExp[]) =>
    names.filter((one) => one !== name && like.some((word) => one.replace(word, '').toLowerCase() === name.toLowerCase()));
  const tables = names.map((name, i) => {
    const create = others(name, /^(?:New|Create|Add)/i, /(?:Create|Input|Request|New|Params|Body)$/i);
    const patch = others(name, /^(?:Update|Patch)/i, /(?:Patch|Update|Changes)$/i);
    const entries = { read: [name], create: create.length > 0 ? create : [name], patch, columns: {} };
    return `  t${i}: ${JSON.stringify(entries)}\n`;
  });
  return tables.length === 0 ? 'tables: {}\n' : `tables:\n${tables.join('')}`;
}

export interface SecondMigration {
  readonly first: MigrationPlan;
  readonly second: MigrationPlan;
}

/** @param db is emptied. @param map the schema map. @param prepare statements that make tables before the first run. */
export async function planTwice(db: Database, source: SourceDocument, map: string, prepare = ''): Promise<SecondMigration> {
  await db.raw(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${prepare}`);
  const run = async (text: string): Promise<MigrationPlan> => {
    const tables = await readTables(db);
    const parsed = parseSchemaMap('map', text);
    const files = { mapFile: 'map', dump: { file: 'schema.sql', text: '' }, migrations: [] };
    const problems = findSchemaProblems({ source, tables, map: parsed, ...files });
    return planMigration({ document: source.document, map: parsed, tables, problems, fill: new Map() });
  };
  const first = await run(map);
  for (const statement of statements(first.actions)) await db.raw(statement.replaceAll('?', '\\?'));
  return { first, second: await run(first.entries.reduce(mapColumn, map)) };
}
