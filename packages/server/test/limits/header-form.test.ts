/** `RateLimit` is not checked in each response where the contract has the pattern of its form: only what has the form may say so. */
import { expect, test } from '@jest/globals';
import { HeaderFields } from '@specwright/server';
import { createRateLimits } from '../../src/pipeline/rate-limit/plan-limits.ts';

const FORM = /^"minute";r=[0-9]{1,16};t=[0-9]{1,5}, "day";r=[0-9]{1,16};t=[0-9]{1,5}$/;
const MANY = Number.MAX_SAFE_INTEGER;

/** The field after one request, and whether it is said to be of its form. */
async function fieldOf(address: { minute: number; day: number }): Promise<[text: string | undefined, isBuilt: boolean]> {
  const log = { info() {}, warn() {}, error() {} };
  const options = { plans: { plans: {}, address }, subject: () => ({ bucket: 'a', quota: address }) };
  const limits = createRateLimits(options, () => 'a', { log });
  const fields = new HeaderFields();
  await limits.of({ rateLimitPlans: undefined }).countSocket({ remoteAddress: '127.0.0.1' }, fields);
  limits.close();
  return [fields.get('RateLimit'), fields.isBuilt(fields.list.indexOf('RateLimit'))];
}

test.each([
  { minute: 60, day: 1000 },
  { minute: 1, day: 1 },
  { minute: 0, day: 0 },
  { minute: MANY, day: MANY },
])('%p is written in its form', async (quota) => {
  const [text, isBuilt] = await fieldOf(quota);
  expect(text).toMatch(FORM);
  expect(isBuilt).toBe(true);
});

test.each([
  { minute: 60.5, day: 1000 },
  { minute: 60, day: 1e21 },
  { minute: Infinity, day: 1000 },
  { minute: NaN, day: 1000 },
])('%p is not', async (quota) => {
  const [text, isBuilt] = await fieldOf(quota);
  expect(text).not.toMatch(FORM);
  expect(isBuilt).toBe(false);
});
