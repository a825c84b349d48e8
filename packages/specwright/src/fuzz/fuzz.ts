/** A fuzz run: starts the server of the project, and tests it with every phase and check of schemathesis. */
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readDocument } from '@specwright/contract/document';
import { configFile, type ProjectConfig } from '../project-config.ts';
import { createChildProcesses, exitOf, type ChildProcesses } from './child-processes.ts';
import { baseOf, loadFuzzHook, type FuzzIdentity } from './fuzz-hook.ts';
import { findServerProblems, SERVER_LOG, startFuzzServer } from './fuzz-server.ts';
import { findSchemathesis, type SchemathesisCommand } from './schemathesis.ts';
import { inBackground } from '@specwright/server';

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
  const folder = await mkdtemp(join(tmpdir(), 'specwright-fuzz-'));
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
