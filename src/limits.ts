/** Who the rate limits count: the account of a caller, by its plan or by the numbers that were agreed with it. */
import { PLANS } from '@specwright/accounts';
import type { RateLimitSubject } from '@specwright/server';
import { quotaOf, type PlanTable } from '@specwright/server';
import type { Caller } from './caller.ts';

/** A ban is on the key: one that does not wait does not stop the others of its account. */
export const rateLimitSubject = (plans: PlanTable, caller: Caller): RateLimitSubject => ({
  bucket: `account:${caller.accountId}`,
  quota: quotaOf(plans, caller),
  key: caller,
});

/** @throws Error if there is a plan that an account can have and the contract has no limits for: its first request would find out. */
export function requirePlans(plans: PlanTable): void {
  for (const plan of PLANS) quotaOf(plans, { plan });
}
