/** What is served beside the contract: probes, metrics and the contract itself, each by its path. */
import type { Exchange, Step } from '../exchange.ts';
import { methodNotAllowed, notFound, sendAllow } from '../match/match.ts';

/** By path; each answers GET and HEAD. */
export type Endpoints = ReadonlyMap<string, Step>;

export interface UnmatchedSteps {
  /** Not counted against the limits: probes and scrapes must always be answered. */
  readonly uncounted: readonly Endpoints[];
  readonly counted: readonly Endpoints[];
  readonly rateLimit: { readonly count: Step; readonly addHeaders: Step };
}

/** The steps of a request without an operation. They are looked up after `match`, so that a concrete path of the contract takes precedence. */
export function unmatchedSteps({ uncounted, counted, rateLimit }: UnmatchedSteps): (exchange: Exchange) => readonly Step[] {
  const endpoints = new Map<string, { readonly count: Step; readonly answer: Step }>();
  for (const [path, answer] of uncounted.flatMap((some) => [...some])) endpoints.set(path, { count: rateLimit.addHeaders, answer });
  for (const [path, answer] of counted.flatMap((some) => [...some])) endpoints.set(path, { count: rateLimit.count, answer });
  const notFoundSteps = [rateLimit.count, notFound];
  return (exchange) => {
    const endpoint = endpoints.get(exchange.path);
    if (endpoint === undefined) return notFoundSteps;
    const { method } = exchange.request;
    if (method === 'GET' || method === 'HEAD') return [endpoint.count, endpoint.answer];
    if (method === 'OPTIONS') return [endpoint.count, sendMethods];
    throw methodNotAllowed(exchange, METHODS);
  };
}

const METHODS = 'GET, HEAD, OPTIONS';
const sendMethods = sendAllow(METHODS);
