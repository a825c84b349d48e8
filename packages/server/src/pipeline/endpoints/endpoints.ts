/** What is served beside the contract: probes, metrics and the contract itself, each by its path. */
import type { Exchange, Step } from '../exchange.ts';
import { methodNotAllowed, notFound, sendAllow } from '../match/match.ts';

/** By path; each answers GET and HEAD. */
export type Endpoints = ReadonlyMap<string, Step>;

export interface OtherSteps {
  /** Not counted against the limits: whoever supervises the server has to be answered. */
  readonly uncounted: readonly Endpoints[];
  readonly counted: readonly Endpoints[];
  readonly rateLimit: { readonly count: Step; readonly addHeaders: Step };
}

/** The steps for a request that is no operation's. It comes after `match`: a concrete path of the contract is the contract's. */
export function otherSteps({ uncounted, counted, rateLimit }: OtherSteps): (exchange: Exchange) => readonly Step[] {
  const endpoints = new Map<string, { readonly count: Step; readonly answer: Step }>();
  for (const [path, answer] of uncounted.flatMap((some) => [...some])) endpoints.set(path, { count: rateLimit.addHeaders, answer });
  for (const [path, answer] of counted.flatMap((some) => [...some])) endpoints.set(path, { count: rateLimit.count, answer });
  const nowhere = [rateLimit.count, notFound];
  return (exchange) => {
    const endpoint = endpoints.get(exchange.path);
    if (endpoint === undefined) return nowhere;
    const { method } = exchange.request;
    if (method === 'GET' || method === 'HEAD') return [endpoint.count, endpoint.answer];
    if (method === 'OPTIONS') return [endpoint.count, sendMethods];
    throw methodNotAllowed(exchange, METHODS);
  };
}

const METHODS = 'GET, HEAD, OPTIONS';
const sendMethods = sendAllow(METHODS);
