/** What libraries and Node print on standard error as lines of the log: who reads the log expects a value of JSON in each line. */
import { format } from 'node:util';
import type { Log } from './logger.ts';

type Levels = Pick<Log, 'error' | 'warn'>;

/** For a process whose log is JSON. What is printed on standard output stays there, as the greeting. */
export function logPrinted(log: Levels): void {
  logConsole(log);
  logWarnings(log);
}

/** A worker of the queue, for one, prints the error of a lost connection with `console.trace`, and has no option for it. */
function logConsole(log: Levels): void {
  const print = (level: keyof Levels) => {
    return (...args: unknown[]): void => {
      const err = args.find((arg) => arg instanceof Error);
      const others = args.filter((arg) => arg !== err);
      log[level](err === undefined ? {} : { err }, others.length === 0 ? 'printed on standard error' : format(...others));
    };
  };
  Object.assign(console, { error: print('error'), warn: print('warn'), trace: print('warn') });
}

const DISABLE_WARNING = '--disable-warning=';

/** Warnings of the process, as of work in the background that has failed. Those that options of Node switch off stay so. */
function logWarnings(log: Levels): void {
  const options = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  if (options.includes('--no-warnings') || process.env['NODE_NO_WARNINGS'] === '1') return;
  const disabled = options.flatMap((option) => (option.startsWith(DISABLE_WARNING) ? [option.slice(DISABLE_WARNING.length)] : []));
  // Node's own, which prints: it is there before any other.
  const [print] = process.listeners('warning');
  if (print !== undefined) process.off('warning', print);
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    if (!disabled.includes(warning.name) && !disabled.includes(warning.code ?? '')) log.warn({ err: warning }, 'a warning of the process');
  });
}
