/** Which status an operation's refusals have: one that it declares, if it declares any for them. */

/** The statuses that requests are refused with for what is in them, and the keys of `responses` that may declare the refusal, in order. */
const DECLARED_AS: ReadonlyMap<number, readonly string[]> = new Map([
  [400, ['400', '422', '4XX', 'default']],
  [413, ['413', '4XX', 'default', '400', '422']],
  [415, ['415', '4XX', 'default', '400', '422']],
  // Of an Idempotency-Key that was used for another request (draft-ietf-httpapi-idempotency-key-header, section 2.7).
  [422, ['422', '400', '4XX', 'default']],
]);

/** The key of `responses` that declares a refusal with a status; `undefined` if the operation does not declare it. */
export const refusalKey = (keys: readonly string[], status: number): string | undefined =>
  (DECLARED_AS.get(status) ?? [String(status), `${Math.floor(status / 100)}XX`, 'default']).find((key) => keys.includes(key));

/** @param keys of `responses`. @returns the status that stands for each of `DECLARED_AS`: itself, if a range declares it; 400 for 422 that nothing declares. */
export const refusalStatuses = (keys: readonly string[]): ReadonlyMap<number, number> =>
  new Map(
    [...DECLARED_AS.keys()].map((status) => {
      const key = refusalKey(keys, status);
      if (key === undefined) return [status, status === 422 ? 400 : status];
      return [status, /^\d+$/.test(key) ? Number(key) : status];
    }),
  );
