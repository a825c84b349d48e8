/** `specwright dev` */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { displayPath, readProjectConfig, type ProjectConfig } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Serves, and watches the spec and the sources. At each save it writes the generated code, and reports problems of the spec,\nmissing handlers, type errors and lint, in the order in which to fix them. The server is restarted when all is good.',
  options: {
    stubs: { type: 'boolean', description: 'writes the stubs of add-operation at each save' },
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI 3.0 document (default: the project's)" },
  },
  failure: 'the environment or the configuration is not valid, or the database cannot be started',
  async run({ values }) {
    const { DATABASE_VARIABLES, openDatabase } = await import('@specwright/postgres');
    const { readEnvironment, SERVER_VARIABLES } = await import('@specwright/server');
    const { createDevServer } = await import('../dev/dev-server.ts');
    const { createLoop } = await import('../dev/loop.ts');
    const { createScreen } = await import('../dev/screen.ts');
    const { startSpecWorker } = await import('../dev/spec-worker.ts');
    const { createTypeChecker } = await import('../dev/type-checker.ts');
    const { watch } = await import('../dev/watch.ts');
    const project = readProjectConfig();
    const { root, name, main } = project;
    const config = readEnvironment({ ...SERVER_VARIABLES, ...DATABASE_VARIABLES });
    const stopped = stopSignal();
    const screen = createScreen(root);
    // Held open, so that the embedded database does not stop and start with each server.
    const database = await openDatabase({ ...config, name, dataDir: resolve(config.dataDir), databasePool: 1 });
    const specWorker = startSpecWorker();
    const types = createTypeChecker(project, (line) => screen.section('types', line));
    const server = createDevServer({
      root,
      main,
      write: (text) => screen.write(text),
      onCrash: (message) => screen.section('server', message),
    });
    const spec = displayPath(values.spec ?? project.spec);
    const watcher = await watch(watchedPaths(project, spec), (files) => loop.save(files));
    const onWritten = (files: readonly string[]) => watcher.ignoreWritten(files);
    const loop = createLoop({ project, spec, stubs: values.stubs, screen, types, specWorker, server, onWritten });
    loop.save(new Set());
    const signal = await stopped;
    screen.section('server', `stopping (${signal})`);
    await Promise.all([watcher.close(), loop.end()]);
    specWorker.close();
    await server.stop();
    await types.close();
    await database.close();
    process.exit(0);
  },
});

/** Resolves at the first signal to stop; the second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        stop(signal);
        process.once(signal, () => process.exit(1));
      });
    }
  });
}

/** The spec, the program, and what is compiled with it. */
function watchedPaths({ root, main, generated, handlers, contractTests }: ProjectConfig, spec: string): string[] {
  const folders = [dirname(spec), dirname(main), generated, handlers, contractTests, 'test', 'scripts', 'bench'];
  return [...folders, 'tsconfig.json'].map((path) => join(root, path)).filter((path) => existsSync(path));
}
