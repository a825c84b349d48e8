/** The server as a process: it migrates, says that it is ready, serves its contract, and stops when it is told to. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { migrate, schemaProblem } from '@specwright/postgres';
import { killProcesses, scaleTimeout, startProcess, withDatabase } from 'specwright/testing';
import { schema } from '../src/db/migrations/index.ts';
import { loadServiceContract } from '../src/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const database = withDatabase({ schema: 'empty' });
afterEach(killProcesses);

test('an empty database is migrated once, and has this schema from then on', async () => {
  expect(await migrate(database.db, schema)).toEqual(schema.migrations.map(({ name }) => name));
  expect(await migrate(database.db, schema)).toEqual([]);
  expect(await schemaProblem(database.db, schema)).toBeUndefined();
});

test(
  'it starts, is ready, serves its contract, and exits with 0',
  async () => {
    const server = startProcess({
      program: 'src/main.ts',
      args: ['--migrate'],
      nodeArgs: [...process.execArgv.filter((argument) => argument.startsWith('--conditions')), '--import', 'tsx'],
      cwd: ROOT,
      env: { DATABASE_URL: database.url, PORT: '0', HOST: '127.0.0.1' },
    });
    const url = await server.url();
    const { operations } = await loadServiceContract();
    // The contract may have one of them, which is then its own.
    const paths = ['/livez', '/readyz', '/openapi.yaml'].filter((path) => !operations.some((operation) => operation.path === path));
    for (const path of paths) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  },
  scaleTimeout(60_000),
);
