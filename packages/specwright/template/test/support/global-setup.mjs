/** Before all tests: PostgreSQL, and a template database with the schema. Plain JavaScript, because jest does not transform it. */
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { startTestServer } = await tsImport('specwright/testing', import.meta.url);
  const { schema } = await tsImport('../../src/db/migrations/index.ts', import.meta.url);
  globalThis.testServer = await startTestServer({ schema, schemaCheck: ['npx', 'specwright', 'check-schema', '--database'] });
}
