/** `npm run test:fuzz`: starts a server of its own and has schemathesis attack it, with every phase and every check. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { liftLimits } from './lift-limits.ts';
import { findSchemathesis, type Command } from './schemathesis.ts';
import { runScript } from './run.ts';

const USAGE = 'usage: npm run test:fuzz [-- --seed N|random] [-- --max-examples N]';
const ROOT = process.cwd();
const LOG = '.cache/fuzz-server.log';
/** Two runs, which together are all phases: after the others in one run, the last follows only a quarter of the links. */
const PHASES = ['examples,coverage,fuzzing', 'stateful'];
/** Long enough for a slow machine, in ms: what takes longer hangs. */
const TOO_LONG = 600_000;

interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  /** The key of the account that the server made for itself. */
  readonly key: string;
}

/** Processes under way. Each leads a group of its own, so that a Ctrl-C reaches them through us, in order. */
const running = new Set<ChildProcess>();

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv, stdio: 'pipe' | 'inherit'): ChildProcess {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio], detached: true });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** @returns the exit code, or the signal that ended it. */
const ended = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode ?? child.signalCode ?? 1);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
    child.once('error', reject);
  });

/** Asks a process to stop; one that has not after `patience` ms is ended with everything that it started. */
async function stop(child: ChildProcess, patience: number): Promise<void> {
  if (child.pid === undefined || !running.has(child)) return;
  const { pid } = child;
  const force = setTimeout(() => process.kill(-pid, 'SIGKILL'), patience);
  child.kill('SIGTERM');
  await ended(child);
  clearTimeout(force);
}

/** A server with an empty database of its own, on a port of its own. */
async function startServer(folder: string): Promise<Server> {
  const child = start(
    process.execPath,
    ['--conditions=@specwright/source', '--import', 'tsx', 'src/main.ts'],
    // Empty is "not set": whatever the caller's shell has for the real server is not for this one.
    {
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: '',
      DATA_DIR: join(folder, 'data'),
      RESPONSE_VALIDATION: 'strict',
      LOG_LEVEL: 'warn',
      WORKER: 'off',
    },
    'pipe',
  );
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const log = createWriteStream(join(ROOT, LOG));
  const port = await new Promise<string>((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      log.write(chunk);
      output += chunk.toString();
      const found = /listens on http:\/\/localhost:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened; its log is ${LOG}\n${output}`)));
    child.once('error', reject);
  });
  return { url: `http://127.0.0.1:${port}`, process: child, key: readFileSync(join(folder, 'data', 'demo-key'), 'utf8').trim() };
}

/** Keys of two accounts, in the form of Web Fuzzing Commons: what one has made, the other must not see. */
async function writeAccounts(file: string, { url, key }: Server): Promise<void> {
  const response = await fetch(`${url}/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'bob@example.com' }),
  });
  if (response.status !== 201) throw new Error(`POST /accounts answered ${response.status}: ${await response.text()}`);
  const { apiKey } = (await response.json()) as { apiKey: string };
  const user = (name: string, token: string) => ({ name, fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }] });
  writeFileSync(file, JSON.stringify({ auth: [user('ada', key), user('bob', apiKey)] }), { mode: 0o600 });
}

/** What is wrong with the server after the attack: it is gone, it does not answer, or its log has errors. */
async function problemsOf({ url, key, process: child }: Server): Promise<string[]> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return [`the server has ended with ${child.exitCode ?? child.signalCode ?? ''}`];
  }
  const problems: string[] = [];
  try {
    const { status } = await fetch(`${url}/account`, { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(5000) });
    if (status !== 200) problems.push(`afterwards, GET /account answered ${status}`);
  } catch (error) {
    problems.push(`afterwards, the server did not answer: ${(error as Error).message}`);
  }
  const errors = readFileSync(join(ROOT, LOG), 'utf8').split('\n').flatMap(errorOf);
  const kinds = new Map<string, number>();
  for (const error of errors) kinds.set(error, (kinds.get(error) ?? 0) + 1);
  for (const [error, times] of kinds) problems.push(`the server's log has an error (${times} times): ${error}`);
  return problems;
}

/** The error that a line of the log tells of. Any error counts: nothing that a client sends may cause one. */
function errorOf(line: string): string[] {
  if (!line.startsWith('{')) return /\bError\b|Warning/.test(line) ? [line] : [];
  const { level, operation, msg } = JSON.parse(line) as { level: string; operation?: string; msg: string };
  return level === 'error' || level === 'fatal' ? [operation === undefined ? msg : `${operation}: ${msg}`] : [];
}

async function attack(
  schemathesis: Command,
  seed: number,
  examples: string | undefined,
  folder: string,
  interruption: AbortSignal,
): Promise<string[]> {
  const server = await startServer(folder);
  await liftLimits(join(folder, 'data'));
  const accounts = join(folder, 'accounts.json');
  await writeAccounts(accounts, server);
  const options = ['spec/petstore.yaml', '--url', server.url, '--seed', String(seed)];
  if (examples !== undefined) options.push('--max-examples', examples);
  const failures: string[] = [];
  for (const phases of PHASES) {
    const child = start(
      schemathesis.command,
      [...schemathesis.args, '--config-file', '.config/schemathesis.toml', 'run', ...options, '--phases', phases],
      {
        ...schemathesis.env,
        PETSTORE_AUTH_FILE: accounts,
        HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis'),
        PYTHONWARNINGS: 'ignore',
      },
      'inherit',
    );
    const guard = setTimeout(() => void stop(child, 1000), TOO_LONG);
    const code = await ended(child);
    clearTimeout(guard);
    if (code !== 0) failures.push(`schemathesis ended with ${code} (${phases}): what it found is above`);
    if (interruption.aborted || !running.has(server.process)) break;
  }
  const problems = [...failures, ...(await problemsOf(server))];
  await stop(server.process, 15_000);
  return problems;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, 'max-examples': { type: 'string' } },
  });
  const seed = values.seed === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed must be a whole number or random, not ${values.seed}\n${USAGE}`);

  const folder = await mkdtemp(join(tmpdir(), 'petstore-fuzz-'));
  const stopAll = () => Promise.all([...running].map((child) => stop(child, 15_000)));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interruption.abort();
      console.error(`\n${signal}: stopping`);
      void stopAll()
        .finally(clean)
        .finally(() => process.exit(1));
    });
  }
  try {
    const schemathesis = findSchemathesis(ROOT);
    const started = Date.now();
    console.log(`schemathesis ${schemathesis.version} by ${schemathesis.from}, seed ${seed}`);
    const problems = await attack(schemathesis, seed, values['max-examples'], folder, interruption.signal);
    // The handler of the signal has the last word.
    if (interruption.signal.aborted) return;
    const took = `${Math.round((Date.now() - started) / 1000)} s`;
    if (problems.length > 0) {
      const replay = `npm run test:fuzz -- --seed ${seed}`;
      throw new Error(
        `the fuzz run failed after ${took}:\n  ${problems.join('\n  ')}\nThe same again: ${replay}\nThe server's log: ${LOG}`,
      );
    }
    console.log(`the fuzz run passed in ${took}: no failure, the server answers, its log has no error`);
  } finally {
    await stopAll();
    clean();
  }
}

await runScript(import.meta.url, USAGE, main);
