/** Whether a command that a page shows is there: the script, the program, the file, the package, and the options that it takes. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand, type CommandEntry } from '@specwright/server/command';
import type { ShellCommand } from './blocks.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
/** No entry of the package has them: tests run them as users do, and this reads their options. */
export const { COMMANDS } = (await import(pathToFileURL(resolve('packages/specwright/src/program.ts')).href)) as {
  COMMANDS: Readonly<Record<string, CommandEntry>>;
};
const read = (file: string) => readFileSync(file, 'utf8');
const root = JSON.parse(read('package.json')) as Manifest;
/** Packages that a page installs: ours, and those that the tests of this repository use. */
const PACKAGES = { ...root.dependencies, ...root.devDependencies, ...root.optionalDependencies };
const BENCHMARKS = read('bench/run.ts');
const CONFIGURATION = read('docs/reference/configuration.md');
/** Scripts that are a command of `specwright`, or a program of this repository. */
const SCRIPT = /^node packages\/specwright\/bin\/specwright\.mjs (?:run (\S+) ?)?(.*)$/;
/** Of npm itself. */
const NPM = ['ci', 'cit', 'init', 'pkg', 'start', 'test'];
/** Variables of others than this project: Node, OpenTelemetry, the Lambda Web Adapter, and of a tour. */
const VARIABLES = ['NODE_OPTIONS', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'AWS_LWA_READINESS_CHECK_PATH', 'KEY', 'TEST_DATABASE_MODULE'];

/** @returns what is wrong with it, or `undefined`. */
export async function commandProblem({ variables, words: [program = '', ...args] }: ShellCommand): Promise<string | undefined> {
  const unknown = variables.filter((name) => !VARIABLES.includes(name) && !CONFIGURATION.includes(`\`${name}`));
  if (unknown.length > 0) return `no variable ${unknown.join(', ')}`;
  if (program === '') return undefined;
  if (program === 'npm') return npmProblem(args);
  if (program === 'pnpm') return args[0] === 'exec' ? programProblem(args.slice(1)) : packagesProblem(args.slice(1));
  if (program === 'npx') return programProblem(args);
  if (program === 'bash') return fileProblem(args[0]);
  return `${program} is not checked: run it in a test, or say \`<!-- not run: REASON -->\``;
}

function npmProblem([command = '', ...args]: readonly string[]): Promise<string | undefined> | string | undefined {
  const prefix = args.indexOf('--prefix');
  if (prefix !== -1) return fileProblem(`${args[prefix + 1] ?? ''}/package.json`);
  if (command === 'create') return programProblem([args[0]?.replace('specwright@latest', 'create-specwright') ?? '', ...args.slice(1)]);
  if (['install', 'i'].includes(command)) return packagesProblem(args);
  if (command === 'run') return scriptProblem(args.filter((arg) => !['-s', '--silent'].includes(arg)));
  if (command === 'start' && args[0] === '--') return fileProblem('src/main.ts');
  return NPM.includes(command) ? undefined : `npm has no command ${command}`;
}

const packagesProblem = (args: readonly string[]): string | undefined => {
  const missing = args.filter((name) => !name.startsWith('-') && !existsSync(`node_modules/${name}`) && !Object.hasOwn(PACKAGES, name));
  return missing.length === 0 ? undefined : `no test uses the package ${missing.join(', ')}`;
};

const fileProblem = (file = ''): string | undefined => (existsSync(file) ? undefined : `${file} does not exist`);

/** Of `npm run NAME -- ARGS`. */
function scriptProblem([name = '', ...rest]: readonly string[]): Promise<string | undefined> | string | undefined {
  const script = root.scripts[name];
  if (script === undefined) return `package.json has no script ${name}`;
  const args = rest.filter((arg) => arg !== '--');
  if (name === 'ts') return fileProblem(args[0]);
  if (name === 'bench') return BENCHMARKS.includes(`\n  ${args[0] ?? ''}: {`) ? undefined : `there is no measurement ${args[0] ?? ''}`;
  const [, file, command] = SCRIPT.exec(script) ?? [];
  if (file !== undefined) return fileProblem(file);
  return command === undefined ? undefined : programProblem(['specwright', command, ...args]);
}

/** Of what `npx` runs: a command of `specwright` with its options, read by its own parser, or a program that a package here has. */
async function programProblem([program = '', ...args]: readonly string[]): Promise<string | undefined> {
  const [name = '', ...options] = program === 'create-specwright' ? ['new', ...args.filter((arg) => arg !== '--')] : args;
  if (!program.endsWith('specwright')) return existsSync(`node_modules/.bin/${program}`) ? undefined : `no package has ${program}`;
  const entry = COMMANDS[name];
  if (entry === undefined) return `specwright has no command ${name}`;
  const { command } = await entry.load();
  return runCommand({ ...command, run: async () => undefined }, options).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}
