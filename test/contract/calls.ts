/** Calls with an Idempotency-Key, which each POST takes. */
import { randomUUID } from 'node:crypto';

export const withKey = () => ({ 'Idempotency-Key': randomUUID() });

/** A call, and a retry of it. */
export function retried<Call extends object>(call: Call): (Call & { readonly headers: Readonly<Record<string, string>> })[] {
  const retry = { ...call, headers: withKey() };
  return [retry, retry];
}

/** Another request with the same key is under way. */
export const inUse = () => ({ server: 'keyInUse', headers: withKey() });
