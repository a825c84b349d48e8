/** A fuzz run: starts the server of the project, and tests it with every phase and check of schemathesis. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readDocument } from '@specwright/contract/document';
import { inBackground } from '@specwright/server';
import { nodeArguments } from '../node-arguments.ts';
import { type Project, type ProjectConfig, configFile, importFromProject } from '../project-config.ts';
import { makeFolderInMemory } from '../testing/fixtures/database/temporary-server.ts';
import { type SchemathesisCommand, findSchemathesis } from './schemathesis.ts';

/** Two runs: in a run with all phases, the last one follows only a quarter of the links. */
const PHASES = ['examples,coverage,fuzzing', 'stateful'];
/** The time for one run, in ms: enough for a slow machine. */
const RUN_TIMEOUT_MS = 600_000;
const STOP_TIMEOUT_MS = 15_000;

export interface FuzzOptions {
  readonly seed: number;
  /** Examples per operation; as schemathesis.toml has it if not given. */
  readonly maxExamples: string | undefined;
  /** The module that starts the server; that of the project if not given. */
  readonly main?: string | undefined;
  /** The path at which it serves the contract; as the module of the project says if not given. */
  readonly base?: string | undefined;
}

/** @throws Error with what schemathesis and the server report. */
export async function fuzz(project: ProjectConfig, options: FuzzOptions): Promise<void> {
  const folder = await makeFolderInMemory('specwright-fuzz-');
  const processes = createChildProcesses(project.root);
  const interruption = new AbortController();
  const clean = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interruption.abort();
      console.error(`\n${signal}: stopping`);
      inBackground(
        processes
          .stopAll(STOP_TIMEOUT_MS)
          .finally(clean)
          .finally(() => process.exit(1)),
      );
    });
  }
  try {
    const schemathesis = findSchemathesis(project);
    const began = Date.now();
    console.log(`schemathesis ${schemathesis.version} by ${schemathesis.from}, seed ${options.seed}`);
    const problems = await run({ project, options, folder, processes, schemathesis, signal: interruption.signal });
    // The handler of the signal ends the process.
    if (interruption.signal.aborted) return;
    const duration = `${Math.round((Date.now() - began) / 1000)} s`;
    if (problems.length > 0) {
      const list = problems.map((problem) => `  ${problem}`).join('\n');
      throw new Error(
        `the fuzz run failed after ${duration}:\n${list}\nRepeat it: ${formatReplay(options)}\nThe server's log: ${SERVER_LOG}`,
      );
    }
    console.log(`the fuzz run passed in ${duration}: no failure, the server is ready, its log has no error`);
  } finally {
    await processes.stopAll(STOP_TIMEOUT_MS);
    clean();
  }
}

/** The command that makes the same run again. */
const formatReplay = ({ seed, maxExamples, main, base }: FuzzOptions): string =>
  [
    'npm run test:fuzz --',
    ...Object.entries({ seed, 'max-examples': maxExamples, main, base }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${value}`],
    ),
  ].join(' ');

interface Run {
  readonly project: ProjectConfig;
  readonly options: FuzzOptions;
  readonly folder: string;
  readonly processes: ChildProcesses;
  readonly schemathesis: SchemathesisCommand;
  readonly signal: AbortSignal;
}

/** @returns the problems. */
async function run({ project, options, folder, processes, schemathesis, signal }: Run): Promise<string[]> {
  const hook = await loadFuzzHook(project);
  const { root, main } = project;
  const server = await startFuzzServer({ root, main: options.main ?? main }, processes, {
    base: baseOf(project, hook, options.base),
    dataDir: join(folder, 'data'),
    environment: hook.environment ?? {},
  });
  const identities = await hook.prepare(server);
  const authFile = join(folder, 'identities.json');
  writeFileSync(authFile, formatIdentities(identities), { mode: 0o600 });
  // As it is served: what is said once for all operations is written out.
  const spec = join(folder, 'document.json');
  writeFileSync(spec, JSON.stringify(readDocument(resolve(project.root, project.spec)).published));
  const args = ['--config-file', configFile(project, 'schemathesis.toml'), 'run', spec, '--url', server.url + server.base];
  args.push('--seed', String(options.seed), ...(options.maxExamples === undefined ? [] : ['--max-examples', options.maxExamples]));
  const env = {
    ...schemathesis.env,
    SPECWRIGHT_AUTH_FILE: authFile,
    HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis'),
    PYTHONWARNINGS: 'ignore',
  };
  const problems: string[] = [];
  for (const phases of PHASES) {
    const child = processes.start(schemathesis.command, [...schemathesis.args, ...args, '--phases', phases], env, 'inherit');
    const deadline = new AbortController();
    const timeout = setTimeout(() => {
      deadline.abort();
      inBackground(processes.stop(child, 1000));
    }, RUN_TIMEOUT_MS);
    const code = await exitOf(child);
    clearTimeout(timeout);
    if (deadline.signal.aborted)
      problems.push(`schemathesis did not finish within ${RUN_TIMEOUT_MS / 1000} s (${phases}): use a quieter machine or --max-examples`);
    else if (code !== 0) problems.push(`schemathesis ended with ${code} (${phases}): see its report above`);
    if (signal.aborted || !processes.isRunning(server.process)) break;
  }
  problems.push(...(await findServerProblems(project, server)));
  if (processes.isRunning(server.process) && !signal.aborted) problems.push(...((await hook.verify?.(server, identities)) ?? []));
  await processes.stop(server.process, STOP_TIMEOUT_MS);
  return problems;
}

/** In the format of Web Fuzzing Commons. */
const formatIdentities = (identities: readonly FuzzIdentity[]): string =>
  JSON.stringify({
    auth: identities.map(({ name, headers }) => ({
      name,
      fixedHeaders: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
    })),
  });

/** The server that a fuzz run tests: with an empty embedded database, on a free port. */
interface StartedServer extends FuzzServer {
  readonly process: ChildProcess;
}

/** The log of the server, from the root of the project. */
const SERVER_LOG = '.cache/fuzz-server.log';
/** The time for one response after the run, in ms. */
const RESPONSE_TIMEOUT_MS = 5000;

/** @throws Error with the output of the server, if it ends before it listens. */
async function startFuzzServer(
  { root, main }: Pick<Project, 'root' | 'main'>,
  processes: ChildProcesses,
  { base, dataDir, environment }: Pick<FuzzServer, 'base' | 'dataDir'> & { readonly environment: Readonly<Record<string, string>> },
): Promise<StartedServer> {
  const defaults = {
    PORT: '0',
    HOST: '127.0.0.1',
    // An empty variable counts as not set: the shell's settings are for another server.
    DATABASE_URL: '',
    DATA_DIR: dataDir,
    RESPONSE_VALIDATION: 'strict',
    LOG_LEVEL: 'warn',
    // On a busy machine the store of the limits is slow, which the server logs as an error and which is none of the contract.
    RATE_LIMIT_TIMEOUT: '5000',
  };
  const child = processes.start(process.execPath, [...nodeArguments(), main], { ...defaults, ...environment }, 'pipe');
  mkdirSync(join(root, dirname(SERVER_LOG)), { recursive: true });
  const log = createWriteStream(join(root, SERVER_LOG));
  const port = await new Promise<string>((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      log.write(chunk);
      output += chunk.toString();
      const listening = /listens on http:\/\/localhost:(\d+)/.exec(output)?.[1];
      if (listening !== undefined) resolve(listening);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it listened; its log is ${SERVER_LOG}\n${output}`)),
    );
    child.once('error', reject);
  });
  return { url: `http://127.0.0.1:${port}`, base, dataDir, process: child };
}

/** Problems of the server after the run: it has ended, is not ready, or has logged errors. */
async function findServerProblems({ root }: Project, { url, process: child }: StartedServer): Promise<string[]> {
  if (child.exitCode !== null || child.signalCode !== null)
    return [`the server has ended with ${child.exitCode ?? child.signalCode ?? ''}`];
  const problems: string[] = [];
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    if (status !== 200) problems.push(`after the run, GET /readyz answered ${status}`);
  } catch (error) {
    problems.push(`after the run, the server did not answer: ${(error as Error).message}`);
  }
  const counts = new Map<string, number>();
  for (const error of readFileSync(join(root, SERVER_LOG), 'utf8').split('\n').flatMap(errorOf))
    counts.set(error, (counts.get(error) ?? 0) + 1);
  for (const [error, times] of counts) problems.push(`the server has logged an error (${times} times): ${error}`);
  return problems;
}

/** The error of a line of the log. Any error counts: no request may cause one. */
function errorOf(line: string): string[] {
  if (!line.startsWith('{')) return /\bError\b|Warning/.test(line) ? [line] : [];
  const { level, operation, msg } = JSON.parse(line) as { level: string; operation?: string; msg: string };
  return level === 'error' || level === 'fatal' ? [operation === undefined ? msg : `${operation}: ${msg}`] : [];
}

type ChildProcesses = ReturnType<typeof createChildProcesses>;

/** Processes of a fuzz run: each in a group of its own, so that Ctrl-C reaches them through this program, in order. */
function createChildProcesses(cwd: string) {
  const running = new Set<ChildProcess>();
  /** Stops a process; after `timeout` ms it is killed with everything that it started. */
  async function stop(child: ChildProcess, timeout: number): Promise<void> {
    if (child.pid === undefined || !running.has(child)) return;
    const { pid } = child;
    const kill = setTimeout(() => process.kill(-pid, 'SIGKILL'), timeout);
    child.kill('SIGTERM');
    await exitOf(child);
    clearTimeout(kill);
  }
  return {
    start(command: string, args: readonly string[], env: NodeJS.ProcessEnv, stdio: 'pipe' | 'inherit'): ChildProcess {
      const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio], detached: true });
      running.add(child);
      child.once('exit', () => running.delete(child));
      return child;
    },
    isRunning: (child: ChildProcess) => running.has(child),
    stop,
    async stopAll(timeout: number): Promise<void> {
      await Promise.all([...running].map((child) => stop(child, timeout)));
    },
  };
}

/** @returns the exit code, or the signal that ended the process. */
const exitOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
    child.once('error', reject);
  });

/** The module that `specwright.fuzz` of package.json names exports a hook: what a project adds to `specwright fuzz`. */
export interface FuzzServer {
  readonly url: string;
  /** The path at which it serves the contract: `/v1`, or nothing. */
  readonly base: string;
  /** The folder of its embedded database. */
  readonly dataDir: string;
}

/** A user that requests are made as. */
export interface FuzzIdentity {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FuzzHook {
  readonly environment?: Readonly<Record<string, string>>;
  /** The path at which each of several contracts is served, by its name in `specwright.specs`: `{ v2: '/v2' }`. */
  readonly bases?: Readonly<Record<string, string>>;
  /** Prepares the server: users, limits. What one identity creates, the others must not see. */
  prepare(server: FuzzServer): Promise<readonly FuzzIdentity[]>;
  /** Checks the server after the run. @returns the problems. */
  verify?(server: FuzzServer, identities: readonly FuzzIdentity[]): Promise<readonly string[]>;
}

const NO_HOOK: FuzzHook = { prepare: async () => [] };

/** @throws Error if the module exports no `prepare`. */
async function loadFuzzHook(project: Project): Promise<FuzzHook> {
  if (project.fuzz === undefined) return NO_HOOK;
  const hook = (await importFromProject(project, project.fuzz)) as Partial<FuzzHook>;
  if (hook.prepare === undefined)
    throw new Error(`${project.fuzz} does not export \`prepare\`: a function of { url, dataDir } that returns identities`);
  return hook as FuzzHook;
}

/**
 * The path at which a contract is served: as it is given, or else as the module says, which need not say it of the only contract.
 *
 * @throws Error if the module does not say it of one of several.
 */
export function baseOf({ contractName, fuzz }: Pick<ProjectConfig, 'contractName' | 'fuzz'>, { bases }: FuzzHook, given?: string): string {
  if (given !== undefined) return given;
  if (contractName === undefined) return '';
  const base = bases?.[contractName];
  if (base !== undefined) return base;
  const module = fuzz ?? 'the module at specwright.fuzz in package.json';
  throw new Error(`${module} does not say where ${contractName} is served: export const bases = { '${contractName}': '/${contractName}' }`);
}
