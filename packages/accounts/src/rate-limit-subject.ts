/** Whom the rate limits count: the account of a caller, by its plan or by the numbers that were agreed with it. */
import { quotaOf, type PlanTable, type RateLimitSubject } from '@specwright/server';
import { PLANS } from './accounts.ts';
import type { KeyHolder } from './key-format.ts';

/** A ban is on the key: one that ignores Retry-After does not stop the others of its account. */
export const accountSubject = (caller: KeyHolder, plans: PlanTable): RateLimitSubject => ({
  bucket: `account:${caller.accountId}`,
  quota: quotaOf(plans, caller),
  key: caller,
});

/** @throws Error if the contract has no limits for a plan that an account can have: its first request would find out. */
export function assertPlans(plans: PlanTable): void {
  for (const plan of PLANS) quotaOf(plans, { plan });
}
