/** Who may call, and how often: the authenticators of the contract's security schemes, and the limits of their callers. */
import type { Greeting, RateLimitOptions, ServerPart } from '@specwright/server';
import { createSecurity, type Caller } from './security.ts';
import type { ServiceOptions } from './service-options.ts';

/** What a person who has started the server may do next. */
export const HINTS: Greeting['hints'] = [['next', '`npm run dev` serves while you edit; README.md has the first steps']];

/** What `createServer` is given of callers. */
export function openCallers({ config, plans }: ServiceOptions) {
  const rateLimit: RateLimitOptions<Caller> = {
    // For a contract with `x-rate-limit-plans`: counted by this process alone, with the limits of an address for every caller.
    subject: ({ id }, { address }) => ({ bucket: `caller:${id}`, quota: address }),
    trustProxy: config.trustProxy,
    ...(plans && { plans }),
  };
  return {
    security: createSecurity(),
    rateLimit,
    // What authenticators open beside the database, with its `close`.
    parts: [] as readonly ServerPart[],
  };
}
