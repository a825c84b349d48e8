/** What is served beside the contract: probes, metrics and the contract itself, each by its path. */
import type { Exchange, Step } from './exchange.ts';
import { notFound } from './match.ts';

/** By path; each answers GET and HEAD. */
export type Endpoints = ReadonlyMap<string, Step>;

export interface OtherSteps {
  /** Not counted against the limits: whoever supervises the server has to be answered. */
  readonly uncounted: readonly Endpoints[];
  readonly counted: readonly Endpoints[];
  readonly rateLimit: { readonly count: Step; readonly addHeaders: Step };
}

/** The steps for a request that is no operation's. It comes after `match`, so that it never hides an operation. */
export function otherSteps({ uncounted, counted, rateLimit: { count, addHeaders } }: OtherSteps): (exchange: Exchange) => readonly Step[] {
  const steps = new Map<string, readonly Step[]>();
  for (const [path, step] of uncounted.flatMap((endpoints) => [...endpoints])) steps.set(path, [addHeaders, step]);
  for (const [path, step] of counted.flatMap((endpoints) => [...endpoints])) steps.set(path, [count, step]);
  const nowhere = [count, notFound];
  return ({ path, request: { method } }) => (method === 'GET' || method === 'HEAD' ? steps.get(path) : undefined) ?? nowhere;
}
