/** Keeps the responses to requests with an `Idempotency-Key` in memory, for a mock. */
import { FrameworkError, type ALL_SCOPES, type IdempotencyStore, type UnvalidatedResponse } from '@specwright/server';

/** Who calls a mock: the caller that the credentials name, with every scope. */
export interface MockCaller {
  readonly id: string;
  readonly scopes: typeof ALL_SCOPES;
}

/** The oldest are forgotten beyond it. */
const MAX_KEYS = 10_000;

/** @param handlers those of the contract. */
export function createMemoryIdempotency<Handlers>(handlers: Handlers): IdempotencyStore<Handlers, MockCaller> {
  const answered = new Map<string, { readonly fingerprint: string; readonly response: Promise<UnvalidatedResponse> }>();
  return {
    async run({ caller, address, key, fingerprint }, work) {
      const name = JSON.stringify([caller?.id ?? address, key]);
      const known = answered.get(name);
      const print = fingerprint.toString('hex');
      if (known !== undefined) {
        if (known.fingerprint !== print)
          throw new FrameworkError('idempotency_key_reused', 'header/Idempotency-Key was used for another request: send a new key');
        return { response: await known.response, isReplay: true };
      }
      const response = work(handlers);
      answered.set(name, { fingerprint: print, response });
      const [oldest] = answered.size > MAX_KEYS ? answered.keys() : [];
      if (oldest !== undefined) answered.delete(oldest);
      try {
        return { response: await response, isReplay: false };
      } catch (error) {
        answered.delete(name);
        throw error;
      }
    },
  };
}
