/** The PostgreSQL that tests run on: an embedded one in a temporary folder, or the one at `TEST_DATABASE_URL`. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, startEmbedded, migrate } from '@specwright/postgres';
import { schema } from '../../src/db/migrations/index.ts';
import { TEMPLATE } from './database.ts';

// Nothing here has to survive a crash of the machine.
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** Starts the server, makes the template and tells the test processes where it is, in `TEST_SERVER`. */
export async function startServer(): Promise<{ stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), 'server-test-')) : undefined;
  // As root the database runs as another user, who must be able to reach it.
  if (folder !== undefined) await chmod(folder, 0o755);
  const embedded = folder === undefined ? undefined : await startEmbedded({ database: 'petstore', dataDir: join(folder, '.data'), settings: FAST });
  const url = given ?? embedded?.url ?? '';
  const admin = connect({ url, pool: 1 });
  try {
    await admin.raw(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
    await admin.raw(`CREATE DATABASE ${TEMPLATE}`);
  } finally {
    await admin.destroy();
  }
  const template = connect({ url: Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }).href, pool: 2 });
  try {
    await migrate(template, schema);
  } finally {
    await template.destroy();
  }
  process.env['TEST_SERVER'] = url;
  return {
    async stop() {
      await embedded?.stop();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
