/** Callers are accounts: the authenticator of their API keys, from wherever a security scheme has them, and whom requests are counted for. */
import {
  apiKey,
  basic,
  bearer,
  byScheme,
  quotaOf,
  unimplementedScheme,
  type Authenticator,
  type PlanTable,
  type RateLimitSubject,
} from '@specwright/server';
import { PLANS } from '../accounts.ts';
import type { CallerCache } from './caller-cache.ts';
import type { Caller } from './find-caller.ts';

/** How often the caller of a stream or an upload is looked up again: mostly in the cache, which knows of changes at once. */
const RECHECK_MS = 4000;

/**
 * Takes the key from the header, the query or the cookie of `apiKey`, from the bearer token of `http` `bearer`, `oauth2` and
 * `openIdConnect`, or from `http` `basic`, where it is the password, or the name if the password is empty. Other schemes of
 * `http` have no place for a key: they answer 501.
 *
 * @param findCaller whose a key is, `find` of the cache; `undefined` if it is not valid.
 */
export function accountKey(findCaller: CallerCache['find']): Authenticator<Caller> {
  const key = apiKey((value, _scheme, limit) => findCaller(value, limit));
  const token = bearer((value, _scheme, limit) => findCaller(value, limit), 'API key');
  const password = basic((name, given, _scheme, limit) => findCaller(given === '' ? name : given, limit));
  return byScheme(
    ({ definition }) => {
      if (definition.type === 'apiKey') return key;
      if (definition.type !== 'http') return token;
      const kind = definition.scheme.toLowerCase();
      return kind === 'bearer' ? token : kind === 'basic' ? password : unimplementedScheme;
    },
    { recheckMs: RECHECK_MS },
  );
}

// The subject of a caller's rate limits: its account, with the limits of its plan or those agreed with it.

/** Requests are counted by account, and bans are by key: a client that ignored Retry-After does not stop the other clients of the account. */
export const accountSubject = (caller: Caller, plans: PlanTable): RateLimitSubject => ({
  bucket: `account:${caller.accountId}`,
  // Every plan has one (`assertPlans`): `quotaOf` throws otherwise.
  quota: caller.quota ?? plans.plans[caller.plan] ?? quotaOf(plans, caller),
  key: caller,
});

/** Call it at start. @throws Error if the contract has no limits for a plan that an account can have. */
export function assertPlans(plans: PlanTable): void {
  for (const plan of PLANS) quotaOf(plans, { plan });
}
