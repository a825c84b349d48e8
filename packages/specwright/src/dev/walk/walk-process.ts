/** One run of the contract walk, as a process: it has imported the packages before it is told what to walk. */
import { register } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatFatalError } from '@specwright/server';
import { startTestServer } from '../../testing/fixtures/database/test-server.ts';
import { loadSchema, readProject } from '../../project-config.ts';
import { siblingModule } from '../../node-arguments.ts';
import { preloadPackages } from '../server/preload.ts';
import { installGlobals, runBlocks, type TestResult } from './test-globals.ts';

export interface WalkRequest {
  /** The file of the walk, from the current folder. */
  readonly file: string;
  readonly operations: readonly string[];
  /** A PostgreSQL server, in which the walk has databases of its own. */
  readonly url: string;
}

export interface WalkResponse {
  readonly results: readonly TestResult[];
  /** Why nothing was tried. */
  readonly failure?: string;
}

// Loaded in the test runner's place.
const hooks = `export async function resolve(specifier, context, next) {
  return specifier === '@jest/globals' ? { url: ${JSON.stringify(siblingModule('test-globals', import.meta.url).href)}, shortCircuit: true } : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
installGlobals();
// The time that tests have is bounded by the loop.
Object.assign(process.env, { NODE_ENV: 'test', TEST_TIME_FACTOR: '1' });

async function walk({ file, operations, url }: WalkRequest): Promise<WalkResponse> {
  process.env['TEST_OPERATIONS'] = operations.join(',');
  try {
    // One after the other: to import is to compute, and a connection that waits for it times out on a busy machine.
    const server = await startTestServer({ schema: await loadSchema(project), url });
    try {
      await import(pathToFileURL(resolve(file)).href);
      return { results: await runBlocks(operations) };
    } finally {
      await server.stop();
    }
  } catch (error) {
    return { results: [], failure: formatFatalError(error) };
  }
}

const project = readProject();
const ready = preloadPackages(project.root, dirname(project.main));
// What fails ends the process, which the loop sees.
process.once('message', async (request: WalkRequest) => {
  await ready;
  const response = await walk(request);
  process.send?.(response, () => process.exit(0));
});
process.once('disconnect', () => process.exit(1));
