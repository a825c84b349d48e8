/** Who may call, and how often: the accounts and their API keys, and their limits, which all instances count together. */
import { accountSubject, assertPlans, openCallerCache, openCounterStore, openIdempotencyStore, type Caller } from '@specwright/accounts';
import type { Greeting, RateLimitOptions } from '@specwright/server';
import { DEFAULT_PLANS } from './plans.ts';
import { createSecurity } from './security.ts';
import type { ServiceOptions } from './service-options.ts';

/** What a person who has started the server may do next. */
export const HINTS: Greeting['hints'] = [
  ['API key', 'npm run -s administer -- accounts create --email you@example.com'],
  ['next', '`npm run dev` serves while you edit; README.md has the first steps'],
];

/** What `createServer` is given of callers, and `close`, which releases what it needs. */
export function openCallers({ config, contract, database: { db, url }, plans: given, log }: ServiceOptions) {
  const plans = given ?? contract.rateLimitPlans ?? DEFAULT_PLANS;
  assertPlans(plans);
  const callers = openCallerCache(db, { log });
  const store = openCounterStore({ url, limiterTimeoutMs: config.rateLimitTimeout });
  // For operations that declare the header `Idempotency-Key`.
  const idempotency = openIdempotencyStore(db, { log });
  // Opens a connection before the first request needs it. If there is no database, readiness says so.
  void store.bans().catch(() => undefined);
  const rateLimit: RateLimitOptions<Caller> = {
    store,
    plans,
    subject: accountSubject,
    trustProxy: config.trustProxy,
    instances: config.instances * config.workers,
    timeoutMs: config.rateLimitTimeout,
  };
  return {
    security: createSecurity(callers.find),
    rateLimit,
    idempotency,
    metricSources: [store.metrics, callers.metrics],
    close: async (): Promise<void> => {
      idempotency.close();
      await Promise.all([callers.close(), store.close()]);
    },
  };
}
