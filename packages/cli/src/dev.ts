/** `npm run dev`: watches spec and sources; at each save says what is wrong, writes what is generated, restarts the server. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE_VARIABLES, openDatabase } from '@specwright/postgres';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server';
import { SPEC_FILE } from './spec-file.ts';
import { startInspector } from './dev/inspection.ts';
import { createLoop } from './dev/loop.ts';
import { createScreen } from './dev/screen.ts';
import { createServer } from './dev/server.ts';
import { createTypeChecker } from './dev/types.ts';
import { watch } from './dev/watch.ts';
import { readProjectConfig } from './project-config.ts';
import { runScript } from './run.ts';

const USAGE = 'usage: npm run dev [-- --stubs] [-- --spec FILE]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { stubs: { type: 'boolean', default: false }, spec: { type: 'string', default: SPEC_FILE } },
  });
  const root = process.cwd();
  // Before anything is started, and before one waits for it.
  const { name } = readProjectConfig(root);
  const config = readEnvironment({ ...SERVER_VARIABLES, ...DATABASE_VARIABLES });
  const stopped = new Promise<NodeJS.Signals>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        stop(signal);
        // The second one means now.
        process.once(signal, () => process.exit(1));
      });
    }
  });
  const screen = createScreen(root);
  // Held open, so that the embedded database does not stop and start with each server.
  const database = await openDatabase({ ...config, name, dataDir: resolve(config.dataDir), databasePool: 1 });
  const inspector = startInspector();
  const types = createTypeChecker(root, (line) => screen.section('types', line));
  const server = createServer(
    root,
    (text) => screen.write(text),
    (message) => screen.section('server', message),
  );
  const watcher = await watch(root, (files) => loop.save(files));
  const { stubs, spec } = values;
  const loop = createLoop({ root, spec, stubs, screen, types, inspector, server, wrote: (files) => watcher.wrote(files) });
  loop.save(new Set());
  const signal = await stopped;
  screen.section('server', `stopping (${signal})`);
  await Promise.all([watcher.close(), loop.end()]);
  inspector.close();
  await server.stop();
  await types.close();
  await database.close();
  process.exit(0);
}

await runScript(import.meta.url, USAGE, main);
