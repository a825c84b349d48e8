/** Asks the shared store, decides without it while it does not answer, and charges it afterwards with what was admitted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground, isThenable } from '@specwright/contract';
import { Deadlines, type Timed } from '@specwright/contract/runtime';
import { inTime } from '../../ops/time-limits.ts';
import type { Log } from '../../log/logger.ts';
import type { CounterStore, StoreResult } from './counter-store.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { type Bucket, LocalCounters } from './local-counters.ts';
import { EMPTY_WINDOWS, type RateLimitRequest, type RateLimitResult, type Windows } from '../windows.ts';

/** How long the store may take to answer, and how long after a failure it is tried again, in ms. */
const STORE_TIMEOUT_MS = 150;
const RETRY_INTERVAL_MS = 250;
/** Some tens of megabytes; beyond them the buckets that were used least recently are dropped. */
const MAX_BUCKETS = 50_000;
/** Results of the store arrive in another order than they were made in within this time, in ms. */
const MAX_REORDERING_MS = 10_000;

export interface FallbackOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** ms since the epoch, as the store would say. */
  readonly now: () => number;
  /** How many instances share the limits: each alone admits its part of what is left. */
  readonly instances: number;
  /** How long the store may take, in ms. */
  readonly timeoutMs?: number | undefined;
}

/** The rest is known only if the shared store has decided. */
export type FallbackResult = RateLimitResult & Partial<Pick<StoreResult, 'changes' | 'sentAt'>>;

/** A question that the store has not answered yet. Its time has ended when it is in no set (`slot`). */
interface Question extends Timed {
  readonly request: RateLimitRequest;
  readonly resolve: (result: FallbackResult) => void;
}

/**
 * Counters that always answer.
 *
 * When the store fails or takes too long, this process decides by itself, from the store's last result and at its part of what
 * was left then, until the store answers the questions that it did not answer. Before it is asked again it is charged with what
 * was admitted meanwhile.
 *
 * Whether the store has counted a question that failed is known only if its answer comes late. If it does not, what was admitted
 * is charged: so the limit holds, and at worst the requests of that moment are counted twice in their windows. The other way round
 * a client could make the store fail to be counted less.
 *
 * Beginning and end of an outage are logged, and `counts` says how many requests were decided how.
 */
export class CounterFallback {
  readonly counts = { shared: 0, local: 0, outages: 0 };
  readonly #store: CounterStore;
  readonly #log: FallbackOptions['log'];
  readonly #now: () => number;
  readonly #instances: number;
  readonly #timeoutMs: number;
  readonly #buckets = createBoundedCache<Bucket>(MAX_BUCKETS);
  readonly #local: LocalCounters;
  readonly #questions: Deadlines<Question>;
  /** What the store has failed to answer, by bucket: it is back when it answers all of that. */
  readonly #unanswered = new Map<string, RateLimitRequest>();
  #isDown = false;
  #isClosed = false;
  /** A charge whose outcome is not known yet: one at a time, and it is not repeated before that. */
  #charging: Promise<void> | undefined = undefined;
  /** The last charge before the store is asked again: requests wait for it, so that none is decided without it. */
  #lastCharge: Promise<unknown> | undefined = undefined;

  constructor({ store, log, now, instances, timeoutMs = STORE_TIMEOUT_MS }: FallbackOptions) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    this.#instances = instances;
    this.#timeoutMs = timeoutMs;
    this.#local = new LocalCounters(this.#buckets, instances);
    this.#questions = new Deadlines<Question>(timeoutMs, (question) => this.#handleFailure(question, timeoutError(timeoutMs)));
  }

  /** The last result of the store. */
  known(bucket: string): Windows {
    return this.#buckets.get(bucket) ?? EMPTY_WINDOWS;
  }

  /** A promise only if the store gives one. */
  take(request: RateLimitRequest): FallbackResult | Promise<FallbackResult> {
    if (this.#isDown) return this.#takeInOutage(request);
    const result = this.#store.take(request);
    if (!isThenable(result)) return this.#count(request, result);
    return new Promise((resolve) => {
      const question = { slot: -1, deadline: 0, request, resolve };
      this.#questions.start(question, performance.now());
      result.then(
        (answer) => {
          if (question.slot === -1) return this.#handleLateAnswer(request, answer);
          this.#questions.end(question);
          resolve(this.#count(request, answer));
        },
        (error: unknown) => {
          if (question.slot === -1) return;
          this.#questions.end(question);
          this.#handleFailure(question, error);
        },
      );
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  #count(request: RateLimitRequest, result: StoreResult): FallbackResult {
    this.counts.shared += 1;
    this.#observe(request.bucket, result);
    return result;
  }

  /** Records a result of the store, unless a later one was recorded, or the store's clock was set back since. */
  #observe(name: string, { minute, day, now }: StoreResult): void {
    const bucket = this.#buckets.get(name) ?? this.#local.bucketOf(name);
    if (now < bucket.now && bucket.now - now < MAX_REORDERING_MS) return;
    bucket.minute = minute;
    bucket.day = day;
    bucket.now = now;
  }

  #takeInOutage(request: RateLimitRequest): FallbackResult | Promise<FallbackResult> {
    const last = this.#lastCharge;
    return last === undefined ? this.#takeLocally(request) : last.then(ignore, ignore).then(() => this.take(request));
  }

  #takeLocally(request: RateLimitRequest): FallbackResult {
    this.counts.local += 1;
    return this.#local.take(request, this.#now());
  }

  #handleLateAnswer(request: RateLimitRequest, result: StoreResult): void {
    this.#observe(request.bucket, result);
    if (!result.admitted) return;
    this.#local.reconcileLate(request, result);
    inBackground(this.#chargeRest(), this.#log);
  }

  #handleFailure(question: Question, error: unknown): void {
    const unansweredQuestions = this.#startOutage(error);
    for (const each of [question, ...unansweredQuestions]) this.#giveUp(each);
  }

  #giveUp({ request, resolve }: Question): void {
    if (this.#unanswered.size < MAX_BUCKETS_AT_ONCE) this.#unanswered.set(request.bucket, request);
    resolve(this.#takeLocally(request));
  }

  /** @returns the questions that the store is deciding now: it would not know what is admitted here from now on. */
  #startOutage(error: unknown): readonly Question[] {
    if (this.#isDown || this.#isClosed) return [];
    this.#isDown = true;
    this.counts.outages += 1;
    this.#log.error(
      { err: error, instances: this.#instances },
      'the store of the rate limits does not answer: limits are counted in this process alone',
    );
    inBackground(this.#recover(), this.#log);
    return this.#questions.endAll();
  }

  async #recover(): Promise<void> {
    const began = performance.now();
    for (;;) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      if (this.#isClosed) return;
      try {
        await this.#inTime(this.#askAgain());
        await this.#chargeAll();
        break;
      } catch {
        // Not yet.
      }
    }
    this.#log.info({ ms: performance.now() - began, decided: this.counts.local }, 'the store of the rate limits answers again');
    inBackground(this.#chargeRest(), this.#log);
  }

  /** With the statement that failed, for the rows that it did not get. It counts nothing. */
  #askAgain(): Promise<unknown> {
    const ask = async (request: RateLimitRequest) => this.#observe(request.bucket, await this.#store.take({ ...request, cost: 0 }));
    return Promise.all(Array.from(this.#unanswered.values(), ask));
  }

  async #chargeAll(): Promise<void> {
    if (this.#charging !== undefined) await this.#chargeSome();
    // This process decides on while there is more than one charge.
    while (this.#local.unreconciledCount > MAX_BUCKETS_AT_ONCE) await this.#chargeSome();
    this.#lastCharge = this.#chargeSome();
    try {
      await this.#lastCharge;
      this.#unanswered.clear();
      this.#isDown = false;
    } finally {
      this.#lastCharge = undefined;
    }
  }

  async #chargeRest(): Promise<void> {
    try {
      while (!this.#isDown && this.#charging === undefined && this.#local.unreconciledCount > 0) await this.#chargeSome();
    } catch {
      // It is charged after the outage that begins, or with the next one.
    }
  }

  /** Charges some of what is pending, or waits for the charge under way. @throws Error if that has not succeeded in time. */
  async #chargeSome(): Promise<void> {
    if (this.#charging === undefined) {
      const charges = this.#local.charges(MAX_BUCKETS_AT_ONCE, this.#now());
      if (charges.length === 0) return;
      this.#charging = this.#store
        .charge(charges)
        .then(() => this.#local.reconcile(charges, this.#now()))
        .finally(() => (this.#charging = undefined));
    }
    await this.#inTime(this.#charging);
  }

  #inTime<T>(promise: Promise<T>): Promise<T> {
    return inTime(promise, this.#timeoutMs, () => timeoutError(this.#timeoutMs));
  }
}

const ignore = () => undefined;

/** How many buckets the store is asked for, or charged with, at once: so many fit into one statement. */
const MAX_BUCKETS_AT_ONCE = 512;

const timeoutError = (ms: number): Error => new Error(`the store of the rate limits has not answered within ${ms} ms`);
