/** The programs of the pet store as processes, not built: what they wait for, what they tell, and how they end. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { createDatabase, killProcesses, scaleTimeout, startProcess, type TestDatabase, until } from 'specwright/testing';
import { startTcpProxy } from '../support/tools/tcp-proxy.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let database: TestDatabase | undefined;
afterEach(async () => {
  await killProcesses();
  await database?.drop();
  database = undefined;
});

const start = (program: string, url: string, ...args: string[]) =>
  startProcess({
    program,
    args,
    cwd: ROOT,
    nodeArgs: ['--conditions=@specwright/source', '--import', 'tsx'],
    env: { PORT: '0', HOST: '127.0.0.1', DATABASE_URL: url },
  });

test(
  'the server lives before its database does, waits for it, migrates it and begins to deliver',
  async () => {
    database = await createDatabase({ schema: 'empty' });
    const proxy = await startTcpProxy(database.url);
    try {
      await proxy.refuse();
      const server = start('src/main.ts', proxy.url, '--migrate');
      const [, port = ''] = await server.waitForOutput(/"port":(\d+).*"msg":"listening"/);
      const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      expect(await Promise.all(['/livez', '/readyz'].map(statusOf))).toEqual([200, 503]);
      await proxy.restore();
      // Waited for with a bound, so that the test says what has not been printed.
      await until(() => server.output.stdout.includes('the worker has started'), 10_000);
      await until(() => server.output.stdout.includes(`listens on http://localhost:${port}`), 10_000);
      expect(await statusOf('/readyz')).toBe(200);
      server.child.kill('SIGTERM');
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(server.output.stdout).toContain('"msg":"stopped"');
    } finally {
      await proxy.close();
    }
  },
  scaleTimeout(60_000),
);

test('migrating says what it has run, and nothing where there is nothing to do', async () => {
  database = await createDatabase({ schema: 'empty' });
  const first = start('src/migrate.ts', database.url);
  expect(await first.exited).toEqual({ code: 0, signal: null });
  expect(first.output.stdout.split('\n').filter((line) => line.startsWith('ran ')).length).toBeGreaterThan(2);
  const second = start('src/migrate.ts', database.url);
  expect(await second.exited).toEqual({ code: 0, signal: null });
  expect(second.output.stdout).toBe('nothing to migrate: the schema is up to date\n');
});
