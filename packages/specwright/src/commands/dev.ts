/** `specwright dev` */
import { dirname, resolve } from 'node:path';
import { PACKAGE_FILES } from '../dev/report/report-database.ts';
import type { ContractParts } from '../dev/watched-contract.ts';
import { defineCommand } from '@specwright/server/command';
import { CONTRACTS_OPTION, selectContracts } from '../select-contracts.ts';
import { configFile, displayPath, readProject, type Project, type ProjectConfig } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Serves, and watches the spec and the sources. At each save it writes the generated code, and reports problems of the spec,\nmissing handlers, type errors and lint, in the order in which to fix them. The server is restarted when all is good.',
  options: {
    stubs: { type: 'boolean', description: 'writes the stubs of add-operation at each save' },
    'mock-missing': { type: 'boolean', description: 'answers from examples where a handler is still a stub' },
    json: { type: 'boolean', description: 'reports each save as a line of JSON, for a program' },
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
  },
  examples: ['specwright dev', 'PORT=4000 specwright dev --stubs', 'specwright dev --stubs --mock-missing'],
  failure: 'the environment or the configuration is not valid, or the database cannot be started',
  async run({ values }) {
    const { openDatabase } = await import('@specwright/postgres');
    const { DATABASE_VARIABLES } = await import('@specwright/postgres/environment');
    const { readEnvironment, SERVER_VARIABLES } = await import('@specwright/server/environment');
    const { startDatabaseCheck } = await import('../dev/checks/database-check.ts');
    const { createChangedOperations, createEditHistory } = await import('../dev/walk/changed-operations.ts');
    const { DevServer } = await import('../dev/server/dev-server.ts');
    const { Loop } = await import('../dev/loop.ts');
    const { createJsonScreen, createScreen } = await import('../dev/report/screen.ts');
    const { startSpecWorker } = await import('../dev/checks/spec-worker.ts');
    const { TypeChecker } = await import('../dev/compiler/type-checker.ts');
    const { createWalker, findWalk } = await import('../dev/walk/walker.ts');
    const { watch } = await import('../dev/watch.ts');
    const project = readProject();
    const selected = selectContracts(project, values);
    const { root, name, main } = project;
    const config = readEnvironment({ ...SERVER_VARIABLES, ...DATABASE_VARIABLES });
    const signals = stopSignals();
    // A closed terminal must not prevent that the server and the embedded database are stopped.
    process.stdout.on('error', () => undefined);
    const screen = values.json ? createJsonScreen(root) : createScreen(root);
    // Held open, so that the embedded database does not stop and start with each server.
    const database = await openDatabase({ ...config, name, dataDir: resolve(config.dataDir), databasePool: 1 });
    const check = startDatabaseCheck(project, { url: database.url, embedded: database.embedded });
    const specWorker = startSpecWorker();
    const types = new TypeChecker(project, (line) => screen.section('types', line));
    const server = new DevServer({
      root,
      main,
      args: values['mock-missing'] ? ['--mock-missing'] : [],
      port: config.port,
      host: config.host,
      write: (text) => screen.write(text),
      onChange: ({ summary, fix }) => screen.section('server', summary, [], fix),
    });
    const watcher = watch({
      root,
      paths: watchedPaths(project, selected),
      onSave: (files) => loop.save(files),
      onProblem: (problem, fix) => screen.section('watch', problem, [], fix),
    });
    // A database of somebody else's is not for the databases of tests.
    const testServer = process.env['TEST_DATABASE_URL'] ?? (database.embedded ? database.url : undefined);
    const contracts = selected.map((contract): ContractParts => {
      const spec = displayPath(contract.spec);
      const walk = findWalk(contract);
      return { project: contract, spec, walk, changed: createChangedOperations(contract), history: createEditHistory(contract, spec) };
    });
    const hasWalk = contracts.some(({ walk }) => walk !== undefined);
    const walker = hasWalk && testServer !== undefined ? createWalker(root, testServer) : undefined;
    const loop = new Loop({
      project,
      contracts,
      stubs: values.stubs,
      screen,
      types,
      database: check,
      specWorker,
      server,
      walker,
      onWritten: (files) => watcher.ignoreWritten(files),
      onRead: (files) => watcher.add(files),
    });
    loop.save(new Set());
    const signal = await signals.first;
    screen.section('server', `stopping (${signal}); a second signal does not wait for requests under way`);
    signals.onSecond(() => server.kill());
    watcher.close();
    await loop.end();
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

function stopSignals() {
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
    /** Resolves at the first signal to stop. */
    first,
    /** Sets what is done at the second one: nothing that keeps the embedded database from being stopped. */
    onSecond(action: () => void): void {
      hurry = action;
      if (received > 1) action();
    },
  };
}

/** What of a contract is written by hand. */
const pathsOf = (contract: ProjectConfig): string[] => [
  dirname(displayPath(contract.spec)),
  contract.handlers,
  contract.contractTests,
  configFile(contract, 'schema-map.yaml'),
];

/** The contracts, the program, and what is compiled with it. */
const watchedPaths = ({ root, main, contracts, databaseFolder }: Project, selected: readonly ProjectConfig[]): string[] => {
  const generated = [...contracts.map((contract) => contract.generated), databaseFolder];
  const paths = [...selected.flatMap(pathsOf), dirname(main), ...generated, 'test', 'scripts', 'bench', 'tsconfig.json', ...PACKAGE_FILES];
  return paths.map((path) => resolve(root, path));
};
