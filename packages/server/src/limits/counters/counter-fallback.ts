/** Asks the shared store, decides without it while it does not answer, and charges it afterwards with what was admitted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground, isThenable } from '@specwright/contract';
import { Deadlines, type Timed } from '../../ops/deadlines.ts';
import type { Log } from '../../ops/log/logger.ts';
import { createCharges, inTime, MAX_BUCKETS_AT_ONCE, timeoutError } from './counter-charges.ts';
import type { CounterStore, StoreResult } from './counter-store.ts';
import { createLocalCounters } from './local-counters.ts';
import type { RateLimitRequest, RateLimitResult } from '../windows.ts';

/** How long the store may take to answer, and how long after a failure it is tried again, in ms. */
export const STORE_TIMEOUT_MS = 150;
const RETRY_INTERVAL_MS = 250;

export interface FallbackOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** ms since the epoch, as the store would say. */
  readonly now: () => number;
  /** How many instances share the limits: each alone admits its part of what is left. */
  readonly instances: number;
  /** How long the store may take, in ms. */
  readonly timeoutMs?: number;
}

/** The rest is known only if the shared store has decided. */
export type FallbackResult = RateLimitResult & Partial<Pick<StoreResult, 'changes' | 'sentAt'>>;

/** A question that the store has not answered yet. Its time has ended when it is in no set (`slot`). */
class Question implements Timed {
  slot = -1;
  deadline = 0;
  readonly request: RateLimitRequest;
  readonly resolve: (result: FallbackResult) => void;

  constructor(request: RateLimitRequest, resolve: (result: FallbackResult) => void) {
    this.request = request;
    this.resolve = resolve;
  }
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
export function createCounterFallback({ store, log, now, instances, timeoutMs = STORE_TIMEOUT_MS }: FallbackOptions) {
  const local = createLocalCounters(instances);
  const charges = createCharges({ store, local, now, timeoutMs });
  const questions = new Deadlines<Question>(timeoutMs, (question) => handleFailure(question, timeoutError(timeoutMs)));
  const counts = { shared: 0, local: 0, outages: 0 };
  /** What the store has failed to answer, by bucket: it is back when it answers all of that. */
  const unanswered = new Map<string, RateLimitRequest>();
  let isDown = false;
  let isClosed = false;
  /** The last charge before the store is asked again: requests wait for it, so that none is decided without it. */
  let lastCharge: Promise<unknown> | undefined;

  const ignore = () => undefined;

  function takeLocally(request: RateLimitRequest): FallbackResult {
    counts.local += 1;
    return local.take(request, now());
  }

  function giveUp(question: Question): void {
    const { request, resolve } = question;
    if (unanswered.size < MAX_BUCKETS_AT_ONCE) unanswered.set(request.bucket, request);
    resolve(takeLocally(request));
  }

  function handleFailure(question: Question, error: unknown): void {
    const unansweredQuestions = startOutage(error);
    for (const each of [question, ...unansweredQuestions]) giveUp(each);
  }

  function handleAnswer(question: Question, result: StoreResult): void {
    if (question.slot === -1) return handleLateAnswer(question.request, result);
    questions.end(question);
    question.resolve(count(question.request, result));
  }

  function handleLateAnswer(request: RateLimitRequest, result: StoreResult): void {
    local.observe(request.bucket, result);
    if (!result.admitted) return;
    local.reconcileLate(request, result);
    inBackground(chargeRest(), log);
  }

  /** @returns what the store is deciding at this moment: it would not know what is admitted here from now on. */
  function startOutage(error: unknown): readonly Question[] {
    if (isDown || isClosed) return [];
    isDown = true;
    counts.outages += 1;
    log.error({ err: error, instances }, 'the store of the rate limits does not answer: limits are counted in this process alone');
    inBackground(recover(), log);
    return questions.endAll();
  }

  async function recover(): Promise<void> {
    const began = performance.now();
    for (;;) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      if (isClosed) return;
      try {
        await inTime(askAgain(), timeoutMs);
        await chargeAll();
        break;
      } catch {
        // Not yet.
      }
    }
    log.info({ ms: performance.now() - began, decided: counts.local }, 'the store of the rate limits answers again');
    inBackground(chargeRest(), log);
  }

  /** With the statement that failed, for the rows that it did not get. It counts nothing. */
  const askAgain = () =>
    Promise.all(
      Array.from(unanswered.values(), async (request) => local.observe(request.bucket, await store.take({ ...request, cost: 0 }))),
    );

  async function chargeAll(): Promise<void> {
    if (charges.isUnderWay()) await charges.chargeSome();
    // This process decides on while there is more than one charge.
    while (local.unreconciledCount > MAX_BUCKETS_AT_ONCE) await charges.chargeSome();
    lastCharge = charges.chargeSome();
    try {
      await lastCharge;
      unanswered.clear();
      isDown = false;
    } finally {
      lastCharge = undefined;
    }
  }

  /** What becomes known only after the store is back: what it has counted late. */
  async function chargeRest(): Promise<void> {
    try {
      while (!isDown && !charges.isUnderWay() && local.unreconciledCount > 0) await charges.chargeSome();
    } catch {
      // It is charged after the outage that begins, or with the next one.
    }
  }

  function count(request: RateLimitRequest, result: StoreResult): FallbackResult {
    counts.shared += 1;
    local.observe(request.bucket, result);
    return result;
  }

  function ask(request: RateLimitRequest): FallbackResult | Promise<FallbackResult> {
    if (isDown) return takeLocally(request);
    const result = store.take(request);
    if (!isThenable(result)) return count(request, result);
    return new Promise((resolve) => {
      const question = new Question(request, resolve);
      questions.start(question, performance.now());
      result.then(
        (answer) => handleAnswer(question, answer),
        (error: unknown) => {
          if (question.slot === -1) return;
          questions.end(question);
          handleFailure(question, error);
        },
      );
    });
  }

  return {
    counts,
    /** The last known state of a bucket. */
    known: local.known,
    /** A promise only if the store gives one. */
    take: (request: RateLimitRequest): FallbackResult | Promise<FallbackResult> =>
      lastCharge === undefined ? ask(request) : lastCharge.then(ignore, ignore).then(() => ask(request)),
    close: () => void (isClosed = true),
  };
}
