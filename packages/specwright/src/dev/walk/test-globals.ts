/** What contract tests import from their test runner, for a run of the contract walk alone: tests are declared, and `runBlocks` runs them. */

type Action = () => unknown;

interface Block {
  readonly name: string;
  readonly beforeAll: Action[];
  readonly afterAll: Action[];
  readonly tests: { readonly name: string; readonly run: Action }[];
  readonly blocks: Block[];
}

export interface TestResult {
  /** The name of the block. */
  readonly block: string;
  readonly name: string;
  readonly error?: string;
}

const newBlock = (name: string): Block => ({ name, beforeAll: [], afterAll: [], tests: [], blocks: [] });
const root = newBlock('');
let current = root;

// Tables of tests are none of the walk.
const each = () => () => undefined;

export const describe = Object.assign(
  (name: string, define: () => void) => {
    const outer = current;
    current = newBlock(name);
    outer.blocks.push(current);
    define();
    current = outer;
  },
  { each },
);
export const test = Object.assign((name: string, run: Action) => void current.tests.push({ name, run }), { each });
export const it = test;
export const beforeAll = (run: Action): void => void current.beforeAll.push(run);
export const afterAll = (run: Action): void => void current.afterAll.push(run);
export const beforeEach = each;
export const afterEach = each;
export const expect = (): never => {
  throw new Error('expect is not there in a run of the contract walk');
};
export const jest = { setTimeout: () => undefined };

/** Provides the names as globals, as the runner does. */
export const installGlobals = (): void => void Object.assign(globalThis, { describe, test, it, beforeAll, afterAll });

/** Runs the tests of the blocks with these names, in their order. @throws what a hook throws. */
export async function runBlocks(names: readonly string[]): Promise<TestResult[]> {
  const results: TestResult[] = [];
  const run = async (block: Block) => {
    for (const hook of block.beforeAll) await hook();
    try {
      for (const { name, run: runTest } of block === root ? [] : block.tests) {
        try {
          await runTest();
          results.push({ block: block.name, name });
        } catch (error) {
          results.push({ block: block.name, name, error: error instanceof Error ? error.message : String(error) });
        }
      }
      for (const inner of block.blocks) if (names.includes(inner.name)) await run(inner);
    } finally {
      for (const hook of block.afterAll) await hook();
    }
  };
  await run(root);
  return results;
}
