/** The files and calls of our code that one warm request runs, as V8 counts them: https://chromedevtools.github.io/devtools-protocol/tot/Profiler */
import { once } from 'node:events';
import { Session, type Profiler } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { MemoryConnections } from '../requests/memory-connections.ts';

/** As the bundle of the bench is in `.cache/bench`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OWN = /^(?:packages\/[^/]+\/)?(?:src|generated)\//;
/** The loader that runs the sources adds functions with such names. */
const ADDED = /^__/;
/** Of the requests that count. What runs in some of them alone is a timer or a notification of the server. */
const ROUNDS = 9;
/** How often a request is sent: what it needs is loaded and compiled before it counts. */
export const SENT = 16 + ROUNDS;
/** What a request leaves to a later turn is over by then. */
const REST_MS = 20;
const IDLE_ROUNDS = 10;
const MAX_IDLE_CALLS = 20;

export interface HopsRequest {
  /** The request, `SENT` times: what must differ from time to time does. */
  readonly texts: readonly string[];
  readonly status: number;
}

/** In the order in which the request comes to them: by file, then by function with its place in the file: its calls. */
export type Hops = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** @param requests in their order. @throws Error for a response with another status. */
export async function measureHops(connections: MemoryConnections, requests: readonly HopsRequest[]): Promise<Hops[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  const takeHops = async (): Promise<Hops> => {
    await sleep(REST_MS);
    return hopsOf((await session.post('Profiler.takePreciseCoverage')).result);
  };
  const send = (text: string, status: number) => connections.send(Buffer.from(text, 'latin1'), 1, (response) => response.status === status);
  const measured: Hops[] = [];
  await untilIdle(takeHops);
  for (const { texts, status } of requests) {
    const rounds: Hops[] = [];
    for (const text of texts.slice(1)) {
      await takeHops();
      await send(text, status);
      rounds.push(await takeHops());
    }
    measured.push(leastOf(rounds.slice(-ROUNDS)));
  }
  session.disconnect();
  const ordered: Hops[] = [];
  for (const [i, { texts, status }] of requests.entries())
    ordered.push(await inOrder(measured[i] ?? {}, () => send(texts[0] ?? '', status)));
  return ordered;
}

/** What a server prepares in idle time is over: it runs more of our code than the timers that are left. @throws Error after a minute. */
async function untilIdle(takeHops: () => Promise<Hops>): Promise<void> {
  const end = performance.now() + 60_000;
  for (let idle = 0; idle < IDLE_ROUNDS;) {
    if (performance.now() > end) throw new Error('the server is busy without a request');
    idle = countHops(await takeHops()).calls > MAX_IDLE_CALLS ? 0 : idle + 1;
  }
}

/** @param send the request. @returns the files in the order in which it comes to them first. */
async function inOrder(hops: Hops, send: () => Promise<void>): Promise<Hops> {
  const urlOf = (path: string) => pathToFileURL(join(ROOT, path)).href;
  const offsets = Object.entries(hops).map(([path, functions]) => [urlOf(path), Object.keys(functions).map(offsetOf)]);
  const worker = new Worker(new URL('hops-order.mjs', import.meta.url), { workerData: Object.fromEntries(offsets) as object });
  const ask = async (message: 'watch' | 'order') => {
    worker.postMessage(message);
    return ((await once(worker, 'message')) as [readonly string[]])[0];
  };
  try {
    const [failure] = await ask('watch');
    if (failure !== undefined) throw new Error(`the files of a request cannot be watched: ${failure}`);
    await send();
    const order = await ask('order');
    const placeOf = (path: string) => (order.includes(urlOf(path)) ? order.indexOf(urlOf(path)) : order.length);
    return Object.fromEntries(Object.entries(hops).sort(([a], [b]) => placeOf(a) - placeOf(b)));
  } finally {
    await worker.terminate();
  }
}

/** Of `name@offset`. */
const offsetOf = (name: string): number => Number(name.slice(name.lastIndexOf('@') + 1));

function hopsOf(scripts: readonly Profiler.ScriptCoverage[]): Hops {
  const files = scripts.map(({ url, functions }): [string, Record<string, number>] => {
    const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).replaceAll('\\', '/') : '';
    const called = functions.filter(({ functionName, ranges }) => !ADDED.test(functionName) && (ranges[0]?.count ?? 0) > 0);
    return [
      path,
      Object.fromEntries(called.map(({ functionName, ranges }) => [`${functionName}@${ranges[0]?.startOffset}`, ranges[0]?.count ?? 0])),
    ];
  });
  return Object.fromEntries(files.filter(([path, calls]) => OWN.test(path) && Object.keys(calls).length > 0));
}

/** What runs in every round. */
export function leastOf([first = {}, ...others]: readonly Hops[]): Hops {
  const files = Object.entries(first).map(([path, functions]): [string, Record<string, number>] => {
    const calls = Object.entries(functions).map(([name, count]): [string, number] => [
      name,
      Math.min(count, ...others.map((round) => round[path]?.[name] ?? 0)),
    ]);
    return [path, Object.fromEntries(calls.filter(([, count]) => count > 0))];
  });
  return Object.fromEntries(files.filter(([, functions]) => Object.keys(functions).length > 0));
}

/** The files of a request, and the calls of their functions. */
export const countHops = (hops: Hops) => ({
  files: Object.keys(hops).length,
  calls: Object.values(hops).reduce((sum, functions) => sum + callsOf(functions), 0),
});

export const callsOf = (functions: Readonly<Record<string, number>>): number =>
  Object.values(functions).reduce((sum, count) => sum + count, 0);
