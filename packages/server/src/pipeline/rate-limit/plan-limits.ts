/** Pipeline step: counts the request, adds the limits to its response headers, and refuses it beyond them. Loaded for contracts with plans. */
import { type HeaderFields, isThenable, type PlanTable } from '@specwright/contract';
import { FrameworkError, type AppError, type FrameworkErrorCode, byLabel, counter, type Metric } from '@specwright/contract/runtime';
import { addressBucket } from '../../limits/client-address.ts';
import { createLimiter, type Limiter, type LimiterOptions, type RateLimitDecision, secondsUntil } from '../../limits/limiter.ts';
import { createLookUpLimit, type LookUps } from '../../limits/look-up-limit.ts';
import { createMemoryStore } from '../../limits/counters/memory-store.ts';
import type { Exchange, Sets } from '../exchange.ts';
import type { Step } from '../step.ts';
import { type RateLimit, type RateLimitOptions, type RateLimits, unlimited } from './rate-limit.ts';
import { type MarkedSocket, noteRefusal, TOLD_AT } from './told-at.ts';
import { WINDOW_MS } from '../../limits/windows.ts';

/** Creates the limits of a server; those of a contract without plans do nothing. */
export function createRateLimits<Caller>(
  options: RateLimitOptions<Caller>,
  addressOf: RateLimit['addressOf'],
  { log, now = Date.now }: Pick<LimiterOptions, 'log' | 'now'>,
): RateLimits {
  let shared: LimiterAndLookUps | undefined;

  return {
    of({ rateLimitPlans }) {
      const plans = options.plans ?? rateLimitPlans;
      if (plans === undefined) return unlimited(addressOf);
      const { store = createMemoryStore(now), instances = 1, timeoutMs } = options;
      shared ??= {
        limiter: createLimiter({ store, log, instances, now, timeoutMs }),
        lookUps: createLookUpLimit(plans.address, now),
      };
      return createRateLimit(plans, options.subject, addressOf, shared);
    },
    metrics: () => (shared === undefined ? [] : limiterMetrics(shared.limiter.counts)),
    close: () => shared?.limiter.close(),
  };
}

interface LimiterAndLookUps {
  readonly limiter: Limiter;
  readonly lookUps: LookUps;
}

function createRateLimit<Caller>(
  plans: PlanTable,
  subject: RateLimitOptions<Caller>['subject'],
  addressOf: RateLimit['addressOf'],
  { limiter, lookUps }: LimiterAndLookUps,
): RateLimit {
  const bucketOf: RateLimit['bucketOf'] = (exchange) =>
    exchange.caller === undefined ? addressOf(exchange) : subject(exchange.caller as Caller, plans).bucket;
  const setRateLimitHeaders = createHeaderWriter();
  const applyDecision = (exchange: Sets<'rateLimit'>, decision: RateLimitDecision): void => {
    exchange.rateLimit = decision;
    setRateLimitHeaders(exchange.headers, decision);
    if (decision.admitted) return;
    noteRefusal(exchange);
    throw toError(decision);
  };

  return {
    boundLookUp: (exchange, run) => lookUps.run(addressOf(exchange), run, (decision) => applyDecision(exchange, decision)),

    limit({ cost, id = '' }) {
      const limitByPlan: Step<'rateLimit'> = (exchange) => {
        const { caller, arrivedAt } = exchange;
        const { bucket, quota, key } =
          caller === undefined ? { bucket: addressOf(exchange), quota: plans.address, key: undefined } : subject(caller as Caller, plans);
        const decision = limiter.take({ bucket, quota, key, cost, arrivedAt, sentAfter: key && sentAfter(exchange) });
        return isThenable(decision) ? decision.then((later) => applyDecision(exchange, later)) : applyDecision(exchange, decision);
      };
      const { operations = {} } = plans;
      const quota = Object.hasOwn(operations, id) ? operations[id] : undefined;
      if (quota === undefined) return limitByPlan;
      return async (exchange) => {
        await limitByPlan(exchange);
        const decision = await limiter.take({ bucket: `${id} ${bucketOf(exchange)}`, quota, cost: 1, arrivedAt: exchange.arrivedAt });
        // While there is some left, the headers are those of the plan.
        if (!decision.admitted) applyDecision(exchange, decision);
      };
    },

    async banOf({ caller }) {
      const { key } = subject(caller as Caller, plans);
      const seconds = key && (await limiter.bannedFor(key));
      return seconds === undefined ? undefined : toBannedError(seconds);
    },

    addHeaders: (exchange) => setRateLimitHeaders(exchange.headers, limiter.peek(addressOf(exchange), plans.address)),
    countSocket: async ({ remoteAddress }, headers) => {
      const decision = await limiter.take({ bucket: addressBucket(remoteAddress), cost: 1, quota: plans.address });
      setRateLimitHeaders(headers, decision);
      return decision.admitted ? undefined : toError(decision);
    },
    addressOf,
    bucketOf,
  };
}

/**
 * The moment after which a request was certainly sent, on the clock of `performance.now()`: when its connection was opened, or
 * had its last refusal answered, for a client sends no request on it before. When a request is read says little: on a busy
 * machine the last of a burst is read long after the first was answered. `-Infinity` if nothing is known, as of requests that
 * were sent without waiting for the answers before them.
 */
function sentAfter({ request, arrivedAt }: Exchange): number {
  const { at = Infinity } = (request.socket as MarkedSocket)[TOLD_AT] ?? {};
  return at > arrivedAt ? -Infinity : at;
}

const PER_WINDOW = { minute: 'a minute', day: 'a day' } as const;

function toError({ windows, reported, retryAfter = 1, ban }: RateLimitDecision): AppError<FrameworkErrorCode> {
  if (ban !== undefined) return toBannedError(retryAfter);
  const message = `the limit of ${windows[reported].limit} requests ${PER_WINDOW[reported]} is used up; retry in ${retryAfter} s`;
  return new FrameworkError('rate_limited', message, { headers: { 'Retry-After': String(retryAfter) } });
}

const toBannedError = (retryAfter: number): AppError<FrameworkErrorCode> =>
  new FrameworkError('api_key_banned', `the API key is banned because it ignored Retry-After; retry in ${retryAfter} s`, {
    headers: { 'Retry-After': String(retryAfter) },
  });

/** Decisions of the shared store are exact; local ones admit the part of one instance. */
function limiterMetrics({ shared, local, outages, refused, banned }: Limiter['counts']): Metric[] {
  return [
    counter('rate_limit_decisions_total', 'Rate-limit decisions, by the store that made them.', byLabel('store', { shared, local })),
    counter('rate_limit_refusals_total', 'Requests refused by the rate limiter.', byLabel('reason', { limit: refused, ban: banned })),
    counter('rate_limit_outages_total', 'Outages of the shared store.', byLabel('store', { shared: outages })),
  ];
}

/**
 * What sets the header fields that tell a caller its limits: `X-RateLimit-*`, and the IETF's `RateLimit` and `RateLimit-Policy`.
 *
 * `X-RateLimit-Reset` is in Unix seconds. The structured fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and
 * 4) name both windows: `q` the quota and `w` its length in seconds; `r` what is left and `t` the seconds until it is
 * whole again.
 */
function createHeaderWriter(): (headers: HeaderFields, decision: RateLimitDecision) => void {
  // Kept for the next response: most are to callers with the same limits.
  let policy = { minute: NaN, day: NaN, text: '' };
  return (headers, { now, windows, reported }) => {
    const { minute, day } = windows;
    const { limit, remaining, ends } = windows[reported];
    if (minute.limit !== policy.minute || day.limit !== policy.day) policy = formatPolicy(minute.limit, day.limit);
    const [minuteEnds, dayEnds] = [secondsUntil(minute.ends, now), secondsUntil(day.ends, now)];
    // Quotas and stores are the service's own.
    const areCounts =
      [minute.remaining, day.remaining, minuteEnds, dayEnds].every(Number.isSafeInteger) && Math.min(minute.remaining, day.remaining) >= 0;
    const fields = [
      'X-RateLimit-Limit',
      String(limit),
      'X-RateLimit-Remaining',
      String(remaining),
      'X-RateLimit-Reset',
      // Rounded up: at that second the limit has been reset.
      String(Math.ceil(ends / 1000)),
      'RateLimit',
      `"minute";r=${minute.remaining};t=${minuteEnds}, "day";r=${day.remaining};t=${dayEnds}`,
      'RateLimit-Policy',
      policy.text,
    ];
    headers.setAll(fields, areCounts);
  };
}

const formatPolicy = (minute: number, day: number) => ({
  minute,
  day,
  text: `"minute";q=${minute};w=${WINDOW_MS.minute / 1000}, "day";q=${day};w=${WINDOW_MS.day / 1000}`,
});
