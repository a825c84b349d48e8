/** The server that a fuzz run tests: with an empty embedded database, on a free port. */
import type { ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeArguments } from '../node-arguments.ts';
import type { Project } from '../project-config.ts';
import type { ChildProcesses } from './child-processes.ts';
import type { FuzzServer } from './fuzz-hook.ts';

export interface StartedServer extends FuzzServer {
  readonly process: ChildProcess;
}

/** The log of the server, from the root of the project. */
export const SERVER_LOG = '.cache/fuzz-server.log';
/** The time for one response after the run, in ms. */
const RESPONSE_TIMEOUT_MS = 5000;

/** @throws Error with the output of the server, if it ends before it listens. */
export async function startFuzzServer(
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
export async function findServerProblems({ root }: Project, { url, process: child }: StartedServer): Promise<string[]> {
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
