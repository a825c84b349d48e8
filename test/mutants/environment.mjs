/**
 * Jest's environment for mutants. With `MUTANT_COVERAGE` it writes what each test file runs, in this process and in those that it starts, to that
 * folder; without it a file ends with its first failure, or its second test that does not end.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector/promises';
import { join } from 'node:path';
import SharedEnvironment from '../support/runner/environment.mjs';

const FOLDER = process.env.MUTANT_COVERAGE;
const isTimeout = (error) => /Exceeded timeout of/.test(String(error?.[0]?.message ?? error?.[0] ?? error));

let session;

/** V8 counts the blocks of a function only if it was told before it compiled it. */
async function startCoverage() {
  session = new inspector.Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** Adds both to an environment that the project's own class made. */
function extend(environment, { testPath }) {
  const { setup, teardown, handleTestEvent } = environment;
  let errors = 0;
  let start = 0;
  const folder = FOLDER === undefined ? '' : join(FOLDER, createHash('sha256').update(testPath).digest('hex').slice(0, 16));
  return Object.assign(environment, {
    async setup() {
      await setup?.call(environment);
      if (FOLDER === undefined) return;
      mkdirSync(folder, { recursive: true });
      process.env.NODE_V8_COVERAGE = folder;
      if (session === undefined) await startCoverage();
      else await session.post('Profiler.takePreciseCoverage');
      start = performance.now();
    },
    async teardown() {
      if (FOLDER !== undefined) {
        const { result } = await session.post('Profiler.takePreciseCoverage');
        writeFileSync(join(folder, 'own.json'), JSON.stringify({ result: result.filter(({ url }) => url.endsWith('.ts')) }));
        writeFileSync(join(folder, 'test'), JSON.stringify({ testPath, seconds: (performance.now() - start) / 1000 }));
      }
      await teardown?.call(environment);
    },
    handleTestEvent(event, state) {
      if (FOLDER === undefined) {
        if (event.name === 'test_done') for (const error of event.test.errors) errors += isTimeout(error) ? 0.5 : 1;
        if (event.name === 'test_start' && errors >= 1) event.test.mode = 'skip';
      }
      return handleTestEvent?.call(environment, event, state);
    },
  });
}

export default class {
  constructor(config, context) {
    return extend(new SharedEnvironment(config, context), context);
  }
}
