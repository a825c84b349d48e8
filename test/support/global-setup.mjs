/** Before all tests: PostgreSQL, and a template database with the schema. Plain JavaScript, because jest does not transform it. */
import { tsImport } from 'tsx/esm/api';
import { makeSharedFolder } from './shared-folder.mjs';

export default async function setup() {
  makeSharedFolder();
  const { startTemplate } = await tsImport('./template.ts', import.meta.url);
  globalThis.testServer = await startTemplate();
}
