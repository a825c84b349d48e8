/** A server process of the development loop before it is needed: it has imported the packages, and waits to be told which module to run. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preloadPackages } from './preload.ts';

export interface StartMessage {
  /** The module that starts the server, from the current folder. */
  readonly main: string;
  readonly args: readonly string[];
}

const ready = preloadPackages(process.cwd(), process.argv[2] ?? '.');

// What fails ends the process, as it would without the wait.
process.once('message', async ({ main, args }: StartMessage) => {
  // If the loop is killed, the server stops as at a signal.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  process.argv.splice(1, Infinity, resolve(main), ...args);
  await ready;
  await import(pathToFileURL(resolve(main)).href);
});
