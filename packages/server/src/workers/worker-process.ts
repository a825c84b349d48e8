/** A process as one of several of its service, which `workers.ts` starts: its number, and its start and stop. */
import cluster from 'node:cluster';

/** The variables that a worker is started with. */
export const NUMBER = 'SPECWRIGHT_WORKER';
export const SERVICE_STARTED = 'SPECWRIGHT_SERVICE_STARTED';

/** The number of this process among the workers of its service, from 1; `undefined` if it is the only process. */
export const workerNumber = (): number | undefined => (cluster.isWorker ? Number(process.env[NUMBER]) || undefined : undefined);

/** In a worker: whether the service had started before this process. Then others serve until this one is ready. */
export const isServiceStarted = (): boolean => workerNumber() !== undefined && process.env[SERVICE_STARTED] === 'true';

/** In a worker: tells the primary that its start has succeeded. */
export const sendStarted = (): void => void process.send?.({ isStarted: true });

/** In a worker: calls `stop` once, on SIGTERM or when the primary says so, which passes on what a terminal sends to all processes. */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
  let isStopping = false;
  const stopOnce = (signal: NodeJS.Signals): void => {
    if (!isStopping) stop(signal);
    isStopping = true;
  };
  process.on('message', ({ stop: signal }: { stop?: NodeJS.Signals }) => signal && stopOnce(signal)).on('SIGTERM', stopOnce);
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
}
