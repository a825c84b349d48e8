/** The subject of a caller's rate limits: its account, with the limits of its plan or those agreed with it. */
import { quotaOf, type PlanTable, type RateLimitSubject } from '@specwright/server';
import { PLANS } from '../accounts.ts';
import type { Caller } from '../keys/find-caller.ts';

/** Requests are counted by account, and bans are by key: a client that ignored Retry-After does not stop the other clients of the account. */
export const accountSubject = (caller: Caller, plans: PlanTable): RateLimitSubject => ({
  bucket: `account:${caller.accountId}`,
  quota: quotaOf(plans, caller),
  key: caller,
});

/** Call it at start. @throws Error if the contract has no limits for a plan that an account can have. */
export function assertPlans(plans: PlanTable): void {
  for (const plan of PLANS) quotaOf(plans, { plan });
}
