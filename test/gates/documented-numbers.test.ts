/** The numbers that the documents promise are those of the code. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/config.ts';

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const DURATIONS: Readonly<Record<number, string>> = { 1000: 'a second', 60_000: 'a minute', [7 * 86_400_000]: 'a week' };
const word = (number: number): string => WORDS[number] ?? String(number);
const duration = (ms: number): string => DURATIONS[ms] ?? `${ms} ms`;

const product = (text: string): number => text.split(' * ').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1);

/** What an expression finds in a source, which need not export it. @throws Error if it finds nothing: the promise has lost its source. */
function found(path: string, pattern: RegExp): string {
  const [, value] = pattern.exec(readFileSync(path, 'utf8')) ?? [];
  if (value === undefined) throw new Error(`${path} has no ${String(pattern)}`);
  return value;
}

/** `NAME = 5 * 60_000`, or a property */
const constant = (path: string, name: string): number => product(found(path, new RegExp(`\\b${name}(?: =|:) ([\\d_]+(?: \\* [\\d_]+)*)`)));

const STRIKES = 'packages/server/src/limits/strikes.ts';
const KEYS = 'packages/accounts/src/keys';
const RETRIES = 'packages/accounts/src/idempotency/idempotency-store.ts';
const WORKER = 'packages/accounts/src/webhooks/worker.ts';
const [shortBan = 0, longBan = 0, longestBan = 0] = found(STRIKES, /BAN_DURATIONS_MS = \[(.*?)\]/)
  .split(', ')
  .map(product);
const cacheSeconds = constant(`${KEYS}/caller-cache.ts`, 'CACHE_TTL_MS') / 1000;
const testSeconds = constant('packages/postgres/src/connection/notification-channel.ts', 'TEST_INTERVAL_MS') / 1000;
const retention = found(RETRIES, /RETENTION = '(.*)'/);

test.each([
  ['limits', `${word(constant(STRIKES, 'FREE_STRIKES'))} in ${duration(constant(STRIKES, 'STRIKE_WINDOW_MS'))} are free`],
  ['limits', `with ${found(STRIKES, /Math\.max\((\d+), Math\.ceil\(limit \/ 2\)/)} more, or half the minute limit`],
  ['limits', `banned for ${shortBan / 60_000} minutes, then ${longBan / 3_600_000} hour, then ${longestBan / 3_600_000} hours`],
  ['limits', `${duration(constant(STRIKES, 'BAN_HISTORY_MS'))} without a ban starts over`],
  ['limits', `does not answer within ${readConfig({}).rateLimitTimeout} ms`],
  ['limits', `IPv6 by ${found('packages/server/src/limits/client-address.ts', /::(\/\d+)`/)}`],
  ['retries', `for ${retention}.`],
  ['retries', `older than ${retention} once ${duration(constant(RETRIES, 'CLEANUP_INTERVAL_MS'))}`],
  ['retries', `up to ${duration(constant(RETRIES, 'MAX_WAIT_MS'))}`],
  ['keys', `at most ${constant(`${KEYS}/api-keys.ts`, 'MAX_VALID_KEYS')}`],
  ['keys', `for up to ${word(cacheSeconds)} seconds`],
  ['keys', `sends itself every ${word(testSeconds)} seconds`],
  ['messages', `after ${word(Number(found(WORKER, /giveUpAfter: (\d+) \* 86_400_000/)))} days of tries`],
  ['messages', `of ${found(WORKER, /concurrency: \{ first: (\d+)/)} in a process`],
  ['messages', `has ${found(WORKER, /concurrency: \{ first: \d+, retries: (\d+)/)} separate places`],
  ['messages', `after ${word(Number(found(WORKER, /breaker: \{ threshold: (\d+)/)))} failures in a row`],
  ['messages', `longer than ${duration(constant('packages/accounts/src/webhooks/worker.ts', 'SLOW_MS'))}`],
  ['messages', `a webhook is paused for ${duration(product(found(WORKER, /breaker: \{ threshold: \d+, pause: ([\d_]+)/)))}`],
  ['configuration', `kept for ${constant('packages/server/src/pipeline/http-server.ts', 'KEEP_ALIVE_TIMEOUT_MS') / 1000} s`],
])('docs/%s.md says: %s', (page, promise) => {
  const text = readFileSync(`docs/${page}.md`, 'utf8').replace(/\s+/g, ' ');
  // The page itself would be 8 KB of text in the message.
  if (!text.toLowerCase().includes(promise.toLowerCase())) throw new Error(`docs/${page}.md does not say "${promise}", as the code has it`);
});

const kilobytes = (text: string) => Buffer.byteLength(text) / 1000;

// A few operations more make no page wrong: a noun adds a twentieth.
test.each([
  ['client.ts', /([\d,]+) lines in the pet store/, (text: string) => text.split('\n').length],
  ['client.ts', /(\d+) KB in one file/, kilobytes],
  ['openapi.ts', /with the types' (\d+) KB/, kilobytes],
])('docs/clients.md has the size of generated/%s within a fifth: %s', (name, pattern, measure) => {
  const size = measure(readFileSync(`generated/${name}`, 'utf8'));
  const said = Number(found('docs/clients.md', pattern).replace(',', ''));
  expect(said).toBeGreaterThan(size * 0.8);
  expect(said).toBeLessThan(size * 1.2);
});
