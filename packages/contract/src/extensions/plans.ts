/** Plans and their quotas, which the contract defines (`x-rate-limit-plans`). */

export interface Quota {
  readonly minute: number;
  readonly day: number;
}

export interface PlanTable {
  /** By name. The quota of a `custom` plan applies to accounts without an agreed quota. */
  readonly plans: Readonly<Record<string, Quota & { readonly custom?: boolean }>>;
  /** For requests without a valid key, per IP address. */
  readonly address: Quota;
  /** Further limits of operations, by operationId: for each caller, or IP address without a valid key. */
  readonly operations?: Readonly<Record<string, Quota>>;
}

export interface PlanHolder {
  readonly plan: string;
  readonly quota?: Quota | undefined;
}

/** The quota of an account. @throws Error for a plan that the table does not have, so that no account is unlimited by mistake. */
export function quotaOf({ plans }: PlanTable, { plan, quota }: PlanHolder): Quota {
  const result = quota ?? (Object.hasOwn(plans, plan) ? plans[plan] : undefined);
  if (result === undefined) throw new Error(`the contract has no rate limits for the plan ${plan}`);
  return result;
}
