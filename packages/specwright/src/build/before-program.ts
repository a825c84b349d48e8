/** Runs before a built program: completes Node 20, lets stack traces say where the sources are, and prints what is not caught. */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { inspect } from 'node:util';
import { printError } from '@specwright/contract/runtime';

/**
 * What Node has from version 21 on. Without it `pg` finds out whether it runs in a Cloudflare
 * Worker by making a `Response`, for which Node 20 loads its HTTP client: 15 ms and 2 MB at each start.
 */
const scope = globalThis as { navigator?: { readonly userAgent: string } };
scope.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };

/**
 * Node's own `--enable-source-maps` reads the maps of all
 * modules, those of packages too, at each start, which costs 70 ms and 8 MB; this reads one when an error in it is first described.
 */
const maps = new Map<string, SourceMap | undefined>();

function mapOf(module: string): SourceMap | undefined {
  if (!maps.has(module)) maps.set(module, readMap(module));
  return maps.get(module);
}

function readMap(module: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${module}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    // It was left out of an image: the location in the module has to do.
    return undefined;
  }
}

/** `at f (file:///app/.build/main-ABC.js:3:7)` -> `at f (file:///app/src/main.ts:1:5)` */
function toSource(location: string, module: string, line: string, column: string): string {
  const entry = mapOf(module)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !('originalSource' in entry)) return location;
  return `${new URL(entry.originalSource, module).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

// eslint-disable-next-line specwright/linear-expression -- one frame of a stack: a path and the name of a function
const BUILT = /(file:[^()\s]*\/\.build\/[^/()\s]+\.js):(\d+):(\d+)/;

Error.prepareStackTrace = (error, frames) =>
  [String(error), ...frames.map(String).map((frame) => `    at ${frame.replace(BUILT, toSource)}`)].join('\n');

/** Errors of ours whose message says what is wrong and what to do. */
const EXPECTED = ['ConfigError', 'ContractError'];

/** What the system refused, and one of ours has explained: a port in use. */
const isExplained = ({ cause }: Error): boolean => cause instanceof Error && 'syscall' in cause;

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.includes(error.name) || isExplained(error) ? error.message : inspect(error);
}

// Node would print the line that threw, too: in a built module it has thousands of characters.
process.on('uncaughtExceptionMonitor', (error: unknown) => {
  // The program, or a tool in it, decides what follows.
  if (process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  printError(describe(error));
  process.exit(1);
});
