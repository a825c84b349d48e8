/** Mutants of the rate limits' decisions: windows, headers, local counters, the bound on requests at once. */
import type { MutatedFile } from './mutant.ts';

const WINDOWS: MutatedFile = {
  file: 'packages/server/src/limits/windows.ts',
  tests: ['packages/server/test/limits/windows.test.ts'],
  mutants: [
    ['a window counts at the moment of its end', '(ends > now ? used : 0)', '(ends >= now ? used : 0)'],
    ['the last request of a day is refused', 'usedAt(day, now) + cost <= quota.day', 'usedAt(day, now) + cost < quota.day'],
    ['the last request of a minute is refused', 'usedAt(minute, now) + cost <= quota.minute', 'usedAt(minute, now) + cost < quota.minute'],
    ['the limit of the minute is ignored', '(usedAt(minute, now) + cost <= quota.minute && ', '('],
    ['the limit of the day is ignored', ' && usedAt(day, now) + cost <= quota.day)', ')'],
    ['a refused request counts', 'if (!admitted || cost === 0)', 'if (cost === 0)'],
    ['reading the windows opens them', 'if (!admitted || cost === 0)', 'if (!admitted)'],
    [
      'a window goes on at the moment of its end',
      'window.ends > now ? { used: window.used + cost',
      'window.ends >= now ? { used: window.used + cost',
    ],
    ['each request prolongs the window', '{ used: window.used + cost, ends: window.ends }', '{ used: window.used + cost, ends: now + ms }'],
    ['a charge makes a window negative', 'Math.max(0, window.used + used)', 'window.used + used'],
    ['a charge to a window that has ended counts', 'if (ends <= now || used === 0)', 'if (used === 0)'],
    ['a charge counts at the end of its window', 'if (ends <= now ||', 'if (ends < now ||'],
    ['a negative charge opens a window', 'return used > 0 ? { used, ends } : window;', 'return { used, ends };'],
    ['a charge prolongs the window', 'window.used + used), ends: window.ends }', 'window.used + used), ends }'],
    ['a window that is just full counts as exceeded', '+ cost > quota[name]', '+ cost >= quota[name]'],
  ],
};

const DECISION: MutatedFile = {
  file: 'packages/server/src/limits/decision.ts',
  tests: ['packages/server/test/limits/windows.test.ts'],
  mutants: [
    [
      'on a tie the headers show the minute',
      'windows.minute.remaining < windows.day.remaining',
      'windows.minute.remaining <= windows.day.remaining',
    ],
    ['Retry-After may be 0', 'Math.max(1, Math.ceil', 'Math.max(0, Math.ceil'],
    ['Retry-After is rounded down', 'Math.ceil((moment - now) / 1000)', 'Math.floor((moment - now) / 1000)'],
    ['Retry-After may be longer than a day', 'Math.min(86_400, Math.max(', 'Math.min(Infinity, Math.max('],
    ['Retry-After is the shortest of the exceeded windows', 'Math.max(...ends)', 'Math.min(...ends)'],
    ['less than nothing remains', 'remaining: Math.max(0, limit - usedAt(window, now))', 'remaining: limit - usedAt(window, now)'],
    ['the end of a window that has ended is reported', 'ends: window.ends > now ? window.ends : now + ms', 'ends: window.ends'],
    ['a ban ends with the window', 'Math.max(ends, ban.until)', 'ends'],
  ],
};

const LOCAL_COUNTERS: MutatedFile = {
  file: 'packages/server/src/limits/counters/local-counters.ts',
  tests: ['packages/server/test/limits/local-counters.test.ts', 'packages/server/test/limits/counter-fallback.test.ts'],
  mutants: [
    ['each instance admits all that is left', 'Math.floor(left / this.#instances)', 'left'],
    [
      'with many instances none admits a request',
      'Math.max(needed, Math.floor(left / this.#instances))',
      'Math.floor(left / this.#instances)',
    ],
    ['one request is admitted where nothing is left', 'left < needed ? 0 :', 'left < 0 ? 0 :'],
    ['requests that were admitted without the store do not count', 'return part - usedAt(bucket.pending[name], now);', 'return part;'],
    ['an earlier result of the store replaces a later one', 'if (now < bucket.now) return;', ''],
    ['the limit of the day is ignored', 'WINDOW_NAMES.every((window) => left[window] >= cost)', "left['minute'] >= cost"],
    ['a request that the store has counted late is charged', 'Math.min(cost, usedAt(bucket.pending[window], late.now))', '0'],
    [
      'a window that has ended is charged',
      'used: usedAt(pending[window], now) - usedAt(overcount[window], now)',
      'used: pending[window].used - overcount[window].used',
    ],
  ],
};

const FALLBACK: MutatedFile = {
  file: 'packages/server/src/limits/counters/counter-fallback.ts',
  tests: ['packages/server/test/limits/counter-fallback.test.ts'],
  mutants: [
    ['requests that the store is deciding when it fails wait on', 'return this.#questions.endAll();', 'return [];'],
    ['a late refusal is reconciled as an admission', 'if (!result.admitted) return;', ''],
    ['asking whether the store is back counts', '{ ...request, cost: 0 }', 'request'],
    [
      'a request is decided without the last charge',
      'this.#lastCharge === undefined ? this.#ask(request) :',
      'this.#lastCharge !== 0 ? this.#ask(request) :',
    ],
  ],
};

const CONCURRENCY_LIMIT: MutatedFile = {
  file: 'packages/server/src/pipeline/admission/concurrency-limit.ts',
  tests: ['packages/server/test/pipeline/concurrency-limit.test.ts'],
  mutants: [
    ['the limit never falls', '> FALL_ABOVE', '> Infinity'],
    ['the limit falls because the event loop is busy', 'slowdown * (1 - busy)', 'slowdown'],
    ['the limit never rises', 'slowdown < RISE_BELOW', 'slowdown < 0'],
    ['the limit falls to nothing', 'Math.max(MIN_LIMIT, Math.floor(this.#limit * 0.9))', 'Math.floor(this.#limit * 0.9)'],
    ['the limit rises without end', 'Math.min(MAX_LIMIT, this.#limit + ', '(this.#limit + '],
    [
      'an operation without a quiet duration changes the limit',
      'if (!isSaturated || durations.quiet === 0) return;',
      'if (!isSaturated) return;',
    ],
    [
      'requests of a server that is not saturated change the limit',
      'if (!isSaturated || durations.quiet === 0) return;',
      'if (durations.quiet === 0) return;',
    ],
    ['durations of a busy server are those of a quiet one', 'running * 2 < MIN_LIMIT && !isSaturated', '!isSaturated'],
    ['durations of a saturated server are those of a quiet one', 'running * 2 < MIN_LIMIT && !isSaturated', 'running * 2 < MIN_LIMIT'],
    ['the limit changes more than once in 100 ms', ' && now - this.#windowStart >= WINDOW_MS', ''],
    ['the limit changes with a single request', '++this.#samples >= MIN_SAMPLES && ', ''],
    [
      'the limit is adapted to requests before its last change',
      'this.#samples = this.#measured = this.#expected = 0;',
      'this.#samples = 0;',
    ],
  ],
};

const FAIR_QUEUE: MutatedFile = {
  file: 'packages/server/src/pipeline/admission/fair-queue.ts',
  tests: ['packages/server/test/pipeline/concurrency-limit.test.ts'],
  mutants: [
    [
      'one key keeps its turn',
      'if (line.first < line.entries.length) this.#lines.set(key, compact(line));',
      'if (line.first < line.entries.length) { const rest = [...this.#lines]; this.#lines.clear(); this.#lines.set(key, compact(line)); for (const [name, other] of rest) this.#lines.set(name, other); }',
    ],
    ['the work of a key only grows', 'line.work -= entry.work;', ''],
    ['the work of the queue only grows', 'this.#size === 0 ? 0 : this.#work - entry.work', 'this.#work'],
    ['the size of the queue only grows', 'this.#size--;', ''],
  ],
};

export const LIMITS: readonly MutatedFile[] = [WINDOWS, DECISION, LOCAL_COUNTERS, FALLBACK, CONCURRENCY_LIMIT, FAIR_QUEUE];
