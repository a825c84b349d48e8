/** The public API of `@specwright/server/limits`: decisions about requests, and the interface of a store. A server loads it for plans. */

export { createLimiter, type Limiter, type LimiterOptions, type LimiterRequest } from './limiter.ts';
export { createMemoryStore } from './counters/memory-store.ts';
export { ADDRESS_BUCKET_PREFIX } from './client-address.ts';
export type { ActiveBans, ApiKeyBan, ApiKeyRef, CounterStore, StoreResult } from './counters/counter-store.ts';
export { NO_STRIKES, afterRefusal, banDuration, type Refusal, type StrikeRecord } from './strikes.ts';
export type { Charge, RateLimitRequest, RateLimitResult } from './windows.ts';
