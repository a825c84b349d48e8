/** Notes the order in which a request first runs files, in a thread beside it: https://chromedevtools.github.io/devtools-protocol/tot/Debugger */
import { Session, type Debugger } from 'node:inspector/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** By the URL of a file, the offsets of the functions that are watched. */
const watched = workerData as Readonly<Record<string, readonly number[]>>;
const scripts = new Map<string, string>();
const breakpoints = new Map<string, string[]>();
let order: string[] = [];

const session = new Session();
session.connectToMainThread();
session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void scripts.set(url, scriptId));
session.on('Debugger.paused', ({ params }) => void resume(params.callFrames));
// What waits for this thread's messages keeps it alive.
const enabled = session.post('Debugger.enable');

/** One stop for each file. */
async function resume([frame]: readonly Debugger.CallFrame[]): Promise<void> {
  const url = [...scripts].find(([, id]) => id === frame?.location.scriptId)?.[0] ?? '';
  const set = breakpoints.get(url) ?? [];
  breakpoints.delete(url);
  order.push(url);
  for (const breakpointId of set) await session.post('Debugger.removeBreakpoint', { breakpointId });
  await session.post('Debugger.resume');
}
async function watch(): Promise<void> {
  await enabled;
  order = [];
  for (const [url, offsets] of Object.entries(watched)) {
    const scriptId = scripts.get(url) ?? '';
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const set: string[] = [];
    for (const offset of offsets) {
      const before = scriptSource.slice(0, offset).split('\n');
      const location = { scriptId, lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 };
      set.push((await session.post('Debugger.setBreakpoint', { location })).breakpointId);
    }
    breakpoints.set(url, set);
  }
}

/** `watch` before a request, `order` after it. */
parentPort?.on('message', (message: 'watch' | 'order') => {
  if (message === 'order') parentPort?.postMessage(order);
  else
    void watch().then(
      () => parentPort?.postMessage([]),
      (error: unknown) => parentPort?.postMessage([String(error)]),
    );
});
