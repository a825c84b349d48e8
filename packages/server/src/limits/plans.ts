/** Plans: how many requests each may make. The numbers stand in the contract (`x-rate-limit-plans`). */

/** Requests in a minute and in a day. */
export interface Quota {
  readonly minute: number;
  readonly day: number;
}

/** `x-rate-limit-plans` of the contract. */
export interface PlanTable {
  /** By name. A plan that is `custom` holds for accounts that have no numbers of their own. */
  readonly plans: Readonly<Record<string, Quota & { readonly custom?: boolean }>>;
  /** For what comes without a valid key, for each IP address. */
  readonly address: Quota;
}

/** Who a quota is for. */
export interface PlanHolder {
  readonly plan: string;
  /** The numbers that were agreed with the account. */
  readonly quota?: Quota | undefined;
}

/** @throws Error for a plan that the table does not have: nobody is unlimited by mistake. */
export function quotaOf({ plans }: PlanTable, { plan, quota }: PlanHolder): Quota {
  const found = quota ?? (Object.hasOwn(plans, plan) ? plans[plan] : undefined);
  if (found === undefined) throw new Error(`the contract has no rate limits for the plan ${plan}`);
  return found;
}
