/** The entry `specwright/schema`: compares a database with the schemas of a contract. It loads no linter. */
export { compareSchemas } from './schema/compare-schemas.ts';
export { readDatabaseFiles } from './schema/database-locations.ts';
export { parseSchemaMap } from './schema/database-locations.ts';
