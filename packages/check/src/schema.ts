/** The entry `@specwright/check/schema`: compares a database with the schemas of a contract. It loads no linter. */
export {
  compareSchemas,
  findSchemaProblems,
  recordSchemas,
  type SchemaChange,
  type SchemaComparison,
  type SchemaProblem,
} from './schema/compare-schemas.ts';
export { readDatabaseFiles, type DatabaseFiles, type TextFile } from './schema/database-locations.ts';
export type { Kind } from './schema/differences.ts';
export { migrationProblems, type MigrationProblem } from './schema/migration-problem.ts';
export { propertyFacts, propertyNames, type PropertyFacts } from './schema/property-facts.ts';
export { readComparison } from './schema/read-comparison.ts';
export { parseSchemaMap, type SchemaMap } from './schema/schema-map.ts';
export { unregisteredMigrations, unregisteredProblems } from './schema/unregistered.ts';
