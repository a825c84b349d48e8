/** `specwright dev` */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PACKAGE_FILES } from '../report/report-packages.ts';
import { defineCommand } from '@specwright/server/command';
import { displayPath, readProjectConfig, type ProjectConfig } from '@specwright/cli/project';

export const command = defineCommand({
  description:
    'Serves, and watches the spec and the sources. At each save it writes the generated code, and reports problems of the spec,\nmissing handlers, type errors and lint, in the order in which to fix them. The server is restarted when all is good.',
  options: {
    stubs: { type: 'boolean', description: 'writes the stubs of add-operation at each save' },
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
  },
  examples: ['specwright dev', 'PORT=4000 specwright dev --stubs'],
  failure: 'the environment or the configuration is not valid, or the database cannot be started',
  async run({ values }) {
    const { DATABASE_VARIABLES, openDatabase } = await import('@specwright/postgres');
    const { readEnvironment, SERVER_VARIABLES } = await import('@specwright/server');
    const { startDatabaseCheck } = await import('../checks/database-check.ts');
    const { createChangedOperations } = await import('../walk/changed-operations.ts');
    const { createEditHistory } = await import('../walk/edit-history.ts');
    const { createDevServer } = await import('../server/dev-server.ts');
    const { createLoop } = await import('../loop.ts');
    const { createScreen } = await import('../report/screen.ts');
    const { startSpecWorker } = await import('../checks/spec-worker.ts');
    const { createTypeChecker } = await import('../compiler/type-checker.ts');
    const { createWalker, findWalk } = await import('../walk/walker.ts');
    const { watch } = await import('../watch.ts');
    const project = readProjectConfig();
    const { root, name, main } = project;
    const config = readEnvironment({ ...SERVER_VARIABLES, ...DATABASE_VARIABLES });
    const signals = stopSignals();
    // A closed terminal must not prevent that the server and the embedded database are stopped.
    process.stdout.on('error', () => undefined);
    const screen = createScreen(root);
    // Held open, so that the embedded database does not stop and start with each server.
    const database = await openDatabase({ ...config, name, dataDir: resolve(config.dataDir), databasePool: 1 });
    const check = startDatabaseCheck(project, { url: database.url, embedded: database.embedded });
    const specWorker = startSpecWorker();
    const types = createTypeChecker(project, (line) => screen.section('types', line));
    const server = createDevServer({
      root,
      main,
      port: config.port,
      host: config.host,
      write: (text) => screen.write(text),
      onChange: ({ summary, fix }) => screen.section('server', summary, [], fix),
    });
    const spec = displayPath(values.spec ?? project.spec);
    const watcher = await watch(watchedPaths(project, spec), (files) => loop.save(files));
    const onWritten = (files: readonly string[]) => watcher.ignoreWritten(files);
    const onRead = (files: readonly string[]) => watcher.add(files);
    const walk = findWalk(project);
    // A database of somebody else's is not for the databases of tests.
    const testServer = process.env['TEST_DATABASE_URL'] ?? (database.embedded ? database.url : undefined);
    const walker = walk === undefined || testServer === undefined ? undefined : createWalker(root, walk, testServer);
    const changed = createChangedOperations(project);
    const history = createEditHistory(project, spec);
    const loop = createLoop({
      project,
      spec,
      stubs: values.stubs,
      screen,
      types,
      database: check,
      specWorker,
      server,
      walker,
      changed,
      history,
      onWritten,
      onRead,
    });
    loop.save(new Set());
    const signal = await signals.first;
    screen.section('server', `stopping (${signal}); a second signal does not wait for requests under way`);
    signals.onSecond(() => server.kill());
    await Promise.all([watcher.close(), loop.end()]);
    specWorker.close();
    await check.close();
    walker?.close();
    await server.stop();
    await types.close();
    await database.close();
    process.exit(0);
  },
});

/** The time after which the loop ends whatever hangs, once it has been told so twice, in ms. */
const END_TIMEOUT_MS = 20_000;

interface StopSignals {
  /** Resolves at the first signal to stop. */
  readonly first: Promise<NodeJS.Signals>;
  /** Sets what is done at the second one: nothing that keeps the embedded database from being stopped. */
  onSecond(hurry: () => void): void;
}

function stopSignals(): StopSignals {
  let received = 0;
  let hurry: () => void = () => undefined;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        received++;
        resolve(signal);
        if (received < 2) return;
        hurry();
        setTimeout(() => process.exit(1), END_TIMEOUT_MS).unref();
      });
    }
  });
  return {
    first,
    onSecond(action) {
      hurry = action;
      if (received > 1) action();
    },
  };
}

/** The spec, the program, and what is compiled with it. */
function watchedPaths({ root, main, generated, handlers, contractTests, config }: ProjectConfig, spec: string): string[] {
  const folders = [dirname(spec), dirname(main), generated, handlers, contractTests, 'test', 'scripts', 'bench'];
  return [...folders, 'tsconfig.json', ...PACKAGE_FILES, join(config, 'schema-map.yaml')]
    .map((path) => join(root, path))
    .filter((path) => existsSync(path));
}
