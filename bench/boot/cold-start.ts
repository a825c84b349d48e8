/** The start of the pet store, built, with its database running: from the start of the process until it can serve requests. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, readProjectConfig } from 'specwright';
import { createAccountWithPets, withDatabase } from '../support/database.ts';

const STARTS = 10;
/** When memory is read, in ms after the start: what is loaded once the server listens is there by then. */
const SETTLED_MS = 2000;
const TIMEOUT_MS = 30_000;

export interface Start {
  readonly listening: Moment;
  /** It serves requests. */
  readonly ready: Moment;
  /** With the validator of requests, loaded after the start; resident memory in MiB. */
  readonly settled: Moment & { readonly mib: number };
}

/** ms since the start of the process, and its CPU in ms. */
interface Moment {
  readonly wall: number;
  readonly cpu: number;
}

/** @param node the path of the executable. @throws Error if it does not start. */
export async function measureColdStarts(node: string, show: (text: string) => void): Promise<Start[]> {
  const project = readProjectConfig();
  await build(project);
  const program = join(project.root, '.build/main.js');
  return withDatabase({}, async ({ db, env }) => {
    await createAccountWithPets(db, 0, 1);
    const measured: Start[] = [];
    // The first one fills the caches of the system.
    for (let i = -1; i < STARTS; i++) {
      show(`cold start ${i + 1} of ${STARTS}`);
      const start = await measureStart(node, program, { ...env, WORKER: 'on', PORT: '0', LOG_FORMAT: 'json' });
      if (i >= 0) measured.push(start);
    }
    return measured;
  });
}

async function measureStart(node: string, program: string, env: NodeJS.ProcessEnv): Promise<Start> {
  const began = performance.now();
  const child = spawn(node, [program], { env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...env } });
  const now = (): Moment => ({ wall: performance.now() - began, cpu: cpuOf(child.pid) });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  let listening: Moment | undefined;
  try {
    const ready = await new Promise<Moment>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`the pet store ${what}:\n${said}`));
      setTimeout(() => fail(`did not start in ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS).unref();
      child.once('exit', (code) => fail(`ended with code ${code}`));
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('"msg":"listening"')) listening ??= now();
        // The greeting comes when the schema is known to be right.
        if (/ listens on http/.test(said)) resolve(now());
      });
    });
    await sleep(SETTLED_MS - ready.wall);
    return { listening: listening ?? ready, ready, settled: { ...now(), mib: residentMiB(child.pid) } };
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  }
}

/** CPU of all threads of a process so far, in ms: on Linux, else NaN. */
function cpuOf(pid = 0): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
    return threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
  } catch {
    return NaN;
  }
}

function residentMiB(pid = 0): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return NaN;
  }
}
