/**
 * `npm run conformance -- ADAPTER --find-refused`: the operations because of which a server does not serve the rest of their document. One that it
 * refuses is not to cost it all others: they are listed in `refuses` of its adapter.json, and their cases count as refused.
 */
import { type Adapter, applicable, serve } from './adapter.ts';
import type { Group } from '../src/case.ts';
import { runCases } from '../src/run-cases.ts';

/** @returns operationIds of the group; undefined if no operation of it is served, even alone */
export async function findRefused(adapter: Adapter, group: Group, timeoutMs: number): Promise<string[] | undefined> {
  const { cases } = applicable(adapter, group);
  const operations = [...new Set(cases.map(({ operationId }) => operationId))];
  const seed = await first(operations.slice(0, SEEDS), (one) => isServed([one], one));
  return seed === undefined ? undefined : culpritsIn(operations, seed);

  async function culpritsIn(some: readonly string[], seed: string): Promise<string[]> {
    if (await isServed([...new Set([seed, ...some])], seed)) return [];
    if (some.length === 1) return [...some];
    const half = Math.ceil(some.length / 2);
    return [...(await culpritsIn(some.slice(0, half), seed)), ...(await culpritsIn(some.slice(half), seed))];
  }

  /** Whether a valid request of an operation is kept by a server of some operations. */
  async function isServed(some: readonly string[], seed: string): Promise<boolean> {
    const others = operations.filter((id) => !some.includes(id));
    const without = { ...adapter, excludes: { ...adapter.excludes, ...Object.fromEntries(others.map((id) => [id, ''])) } };
    const tried = cases.filter(({ operationId, accepts }) => operationId === seed && accepts.every(({ kind }) => kind !== 'refused'));
    try {
      const results = await serve(without, group, ({ base }) => runCases(base, tried, timeoutMs));
      return results.some(({ verdict }) => verdict === 'kept');
    } catch {
      return false;
    }
  }
}

/** How many operations are tried for one that is served alone. */
const SEEDS = 40;

async function first<T>(values: readonly T[], isWanted: (value: T) => Promise<boolean>): Promise<T | undefined> {
  for (const value of values) if (await isWanted(value)) return value;
  return undefined;
}
