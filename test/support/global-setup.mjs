/** Before all tests: a PostgreSQL of their own, and in it a template database with the schema. Plain JavaScript for jest's sake. */
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { startServer } = await tsImport('./server.ts', import.meta.url);
  globalThis.__testServer = await startServer();
}
