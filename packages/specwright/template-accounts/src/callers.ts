/** Who may call, and how often: the accounts and their API keys, and their limits, which all instances count together. */
import { accountSubject, assertPlans, openCallerCache, openCounterStore, openIdempotencyStore } from '@specwright/accounts';
import { rateLimitOptions, type Greeting } from '@specwright/server';
import { DEFAULT_PLANS } from './plans.ts';
import { createSecurity } from './security.ts';
import type { ServiceOptions } from './service-options.ts';

/** What a person who has started the server may do next. */
export const HINTS: Greeting['hints'] = [
  ['API key', 'npm run -s administer -- accounts create --email you@example.com'],
  ['next', '`npm run dev` serves while you edit; README.md has the first steps'],
];

/** What `createServer` is given of callers. */
export function openCallers({ config, contract, database: { db, url }, plans: given, log }: ServiceOptions) {
  const plans = given ?? contract.rateLimitPlans ?? DEFAULT_PLANS;
  assertPlans(plans);
  const callers = openCallerCache(db, { log });
  const store = openCounterStore({ url, limiterTimeoutMs: config.rateLimitTimeout });
  // For operations that declare the header `Idempotency-Key`.
  const idempotency = openIdempotencyStore(db, { log });
  return {
    security: createSecurity(callers.find),
    rateLimit: { ...rateLimitOptions(config), store, plans, subject: accountSubject },
    idempotency,
    parts: [callers, store, idempotency],
  };
}
