/** The limits of each plan, exactly: the last request of a window is admitted, the next is refused until Retry-After has passed. */
import { describe, expect, jest, test } from '@jest/globals';
import { rateLimitPlans } from '../../generated/operations.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { createClock, realLimits } from '../support/service/limits.ts';
import { scaleTimeout, withApp, withDatabase, withFixture } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';

const clock = createClock();
const database = withDatabase();
const limits = withFixture(
  () => realLimits(database.url, clock),
  ({ store }) => store.close(),
);
const app = withApp(() => startApp(database.db, limits.options));

// Thousands of requests.
jest.setTimeout(scaleTimeout(120_000));

// What was agreed with an Enterprise account.
const OWN = { minute: 1000, day: 100_000 };

const PLANS = ['free', 'pro', 'business', 'enterprise'] as const;

async function caller(plan: (typeof PLANS)[number]) {
  const { accountId, key } = await newAccount(database.db, plan, plan === 'enterprise' ? OWN : undefined);
  const call = clientWithKey(app.url, key);
  return {
    accountId,
    get: () => call<ErrorBody>('GET', '/categories?limit=1'),
    times: async (count: number) => {
      const answers = [];
      for (let left = count; left > 0; left -= 50)
        answers.push(...(await Promise.all(Array.from({ length: Math.min(50, left) }, () => call('GET', '/categories?limit=1')))));
      return countStatuses(answers);
    },
    limits: () =>
      call<Record<'minute' | 'day', { limit: number; remaining: number; resetsAt: string }> & { plan: string }>('GET', '/rate-limit'),
  };
}

const seconds = (headers: Headers) => Number(headers.get('retry-after'));

test('the contract has the limits of each plan', () => {
  expect(rateLimitPlans.plans).toMatchObject({
    free: { minute: 60, day: 1000 },
    pro: { minute: 300, day: 10000 },
    business: { minute: 1000, day: 100000 },
    enterprise: { custom: true },
  });
});

describe.each(PLANS)('plan %s', (plan) => {
  const { minute, day } = rateLimitPlans.plans[plan];

  test(`${minute} requests a minute are admitted, the next is refused until Retry-After`, async () => {
    const { get, times } = await caller(plan);
    expect(await times(minute)).toEqual({ 200: minute });
    const refused = await get();
    expect([refused.status, refused.body.code, refused.headers.get('x-ratelimit-limit')]).toEqual([429, 'rate_limited', String(minute)]);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(seconds(refused.headers)).toBeGreaterThan(30);
    expect(seconds(refused.headers)).toBeLessThanOrEqual(60);
    clock.pass(seconds(refused.headers));
    const again = await get();
    expect([again.status, again.headers.get('x-ratelimit-remaining')]).toEqual([200, String(minute - 1)]);
  });

  test(`${day} requests a day are admitted, the next is refused until Retry-After`, async () => {
    const { accountId, get, times } = await caller(plan);
    expect((await get()).status).toBe(200);
    // All but the last ten: as if they had been made in the minutes before this one.
    await database
      .db('rate_limit_counters')
      .where({ bucket: `account:${accountId}` })
      .update({ day_used: day - 10, minute_ends: 0 });
    expect(await times(10)).toEqual({ 200: 10 });
    const refused = await get();
    expect([refused.status, refused.body.code, refused.headers.get('x-ratelimit-limit')]).toEqual([429, 'rate_limited', String(day)]);
    expect(refused.body.message).toMatch(`the limit of ${day} requests a day is used up`);
    expect(seconds(refused.headers)).toBeGreaterThan(86_300);
    clock.pass(seconds(refused.headers) - 5);
    expect((await get()).status).toBe(429);
    clock.pass(5);
    expect((await get()).status).toBe(200);
  });
});

test('the headers show the window with the fewest remaining requests, on a tie the longer', async () => {
  const { accountId, get } = await caller('free');
  expect((await get()).headers.get('x-ratelimit-limit')).toBe('60');
  const left = (day_used: number) =>
    database
      .db('rate_limit_counters')
      .where({ bucket: `account:${accountId}` })
      .update({ day_used });
  await left(1000 - 59);
  const tied = await get();
  expect([tied.headers.get('x-ratelimit-limit'), tied.headers.get('x-ratelimit-remaining')]).toEqual(['1000', '58']);
  expect(tied.headers.get('ratelimit')).toMatch(/^"minute";r=58;t=\d+, "day";r=58;t=\d+$/);
  expect(tied.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
  await left(1000 - 58 - 3);
  expect((await get()).headers.get('x-ratelimit-limit')).toBe('60');
});

test('a request refused by the day window is not counted in the minute window', async () => {
  const { accountId, get, limits } = await caller('free');
  await get();
  await database
    .db('rate_limit_counters')
    .where({ bucket: `account:${accountId}` })
    .update({ day_used: 1000 });
  expect((await get()).status).toBe(429);
  expect((await limits()).body).toMatchObject({ minute: { remaining: 59 }, day: { remaining: 0 } });
});

test('GET /rate-limit returns both windows and is not counted', async () => {
  const { get, limits } = await caller('pro');
  const fresh = await limits();
  expect(fresh.body).toMatchObject({ plan: 'pro', minute: { limit: 300, remaining: 300 }, day: { limit: 10000, remaining: 10000 } });
  await get();
  for (let i = 0; i < 3; i++) expect((await limits()).body).toMatchObject({ minute: { remaining: 299 }, day: { remaining: 9999 } });
  const { body, headers } = await limits();
  expect(Math.ceil(Date.parse(body.day.resetsAt) / 1000)).toBeGreaterThan(Number(headers.get('x-ratelimit-reset')));
});

test('each account has a bucket of its own', async () => {
  const first = await caller('free');
  const second = await caller('free');
  await first.get();
  expect((await second.get()).headers.get('x-ratelimit-remaining')).toBe('59');
});

test('an account with limits of its own has those', async () => {
  const { options, store: own } = realLimits(database.url, clock);
  const { key } = await newAccount(database.db, 'enterprise', { minute: 3, day: 5 });
  const agreed = await startApp(database.db, options);
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await clientWithKey(agreed.url, key)('GET', '/categories'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[3]?.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60, "day";q=5;w=86400');
  await agreed.close();
  await own.close();
});
