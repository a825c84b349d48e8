/**
 * Program: runs the contract walk of the project in the current folder, and again for each mutant of a file, in one process.
 * Packages are imported once; what is the project's own is imported anew for each mutant, under a URL that says which it is.
 *
 * Its argument is JSON: `{ walk, operations, mutants }`, each mutant as `{ file, replacement }`. It prints the failed tests of each
 * walk as JSON, that of the project itself first.
 */
import { createRequire, register } from 'node:module';
import { resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';

const { walk, operations, mutants } = JSON.parse(process.argv[2]);
const urlOf = (file) => pathToFileURL(resolvePath(file)).href;

// What contract tests import of Jest, in its place.
const RUNNER = `data:text/javascript,${encodeURIComponent('export const { describe, test, it, beforeAll, afterAll, expect } = globalThis.runner;')}`;
const hooks = `
let project, targets;
export const initialize = (data) => void ({ project, targets } = data);
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: ${JSON.stringify(RUNNER)}, shortCircuit: true };
  const found = await next(specifier, context);
  const walk = /[?]walk=(\\d+)$/.exec(context.parentURL ?? '')?.[1];
  const isOwn = found.url.startsWith(project) && !/[/](node_modules|packages)[/]/.test(found.url.slice(project.length));
  if (walk === undefined || !isOwn) return found;
  const target = targets[walk];
  return { ...found, url: (target?.file === found.url ? target.replacement : found.url) + '?walk=' + walk };
}`;
const targets = [undefined, ...mutants].map((one) => one && { file: urlOf(one.file), replacement: urlOf(one.replacement) });
register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { project: urlOf('.'), targets } });

const newBlock = (name) => ({ name, beforeAll: [], afterAll: [], tests: [], blocks: [] });
let current;
const describe = (name, define) => {
  const outer = current;
  current = newBlock(name);
  outer.blocks.push(current);
  define();
  current = outer;
};
const test = (name, run) => void current.tests.push({ name, run });
const each = () => () => undefined;
const unused = () => {
  throw new Error('expect is not there in a run of the contract walk');
};
globalThis.runner = {
  describe: Object.assign(describe, { each }),
  test: Object.assign(test, { each }),
  it: test,
  beforeAll: (run) => void current.beforeAll.push(run),
  afterAll: (run) => void current.afterAll.push(run),
  expect: unused,
};
Object.assign(globalThis, globalThis.runner);

/** @returns the tests of the operations that fail, as `operation title`, each with its message. */
async function runTests(root) {
  const failed = [];
  let count = 0;
  for (const hook of root.beforeAll) await hook();
  for (const { name, tests } of root.blocks.filter((block) => operations.includes(block.name)))
    for (const { name: title, run } of tests) {
      count++;
      await Promise.resolve()
        .then(run)
        .catch((error) => failed.push({ test: `${name} ${title}`, message: error.message }));
    }
  for (const hook of root.afterAll) await hook();
  return { count, failed };
}

Object.assign(process.env, { NODE_ENV: 'test', TEST_OPERATIONS: operations.join() });
const { startTestServer } = await import(pathToFileURL(createRequire(urlOf('package.json')).resolve('specwright/testing')).href);
const { schema } = await import(urlOf('src/db/migrations/index.ts'));
const server = await startTestServer({ schema, url: process.env.TEST_SERVER });
const results = [];
try {
  for (const walked of targets.keys()) {
    current = newBlock('');
    const root = current;
    await import(`${urlOf(walk)}?walk=${walked}`);
    results.push(await runTests(root));
  }
} finally {
  await server.stop();
}
process.stdout.write(JSON.stringify(results), () => process.exit());
