/** The limits of each plan while the contract has no `x-rate-limit-plans`. A contract that has them replaces these. */
import type { Plan } from '@specwright/accounts';
import type { PlanTable, Quota } from '@specwright/server';

/** Requests per minute and per day. */
const plans: Readonly<Record<Plan, Quota>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
  /** Each account of this plan has limits of its own: `npm run -s administer -- accounts set-plan`. */
  enterprise: { minute: 1_000, day: 100_000 },
};

export const DEFAULT_PLANS: PlanTable = {
  plans,
  /** For requests without a valid key, per IP address. */
  address: { minute: 60, day: 5_000 },
};
