/** One run of the contract walk, as a process: it has imported the packages before it is told what to walk. */
import { register } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatFatalError } from '@specwright/server';
import { startTestServer } from '@specwright/testing';
import { siblingModule } from '../node-arguments.ts';
import { loadSchema, readProjectConfig } from '../project-config.ts';
import { preloadPackages } from './preload.ts';
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
    // The file asks for a database only when its tests run: until then PostgreSQL makes the template.
    const starting = startTestServer({ schema: await loadSchema(project), url });
    const imported = import(pathToFileURL(resolve(file)).href).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const server = await starting;
    try {
      const failed = await imported;
      if (failed !== undefined) throw failed.error;
      return { results: await runBlocks(operations) };
    } finally {
      await server.stop();
    }
  } catch (error) {
    return { results: [], failure: formatFatalError(error) };
  }
}

const project = readProjectConfig();
const ready = preloadPackages(project.root, dirname(project.main));
process.once('message', (request: WalkRequest) => {
  void ready.then(() => walk(request)).then((response) => process.send?.(response, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(1));
