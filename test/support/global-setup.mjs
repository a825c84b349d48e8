/** Before all tests: PostgreSQL, and a template database with the schema. Plain JavaScript, because jest does not transform it. */
import './runner/hooks.mjs';
import { makeSharedFolder } from './shared-folder.mjs';

export default async function setup() {
  makeSharedFolder();
  const { startTemplate } = await import('./template.ts');
  globalThis.testServer = await startTemplate();
}
