/** The slots of a lane in one process: each delivers for one account at a time, and the accounts take turns. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@specwright/postgres';
import { inBackground } from '@specwright/server';
import { findWaitingAccounts, type Lane } from './queue.ts';

export interface SlotOptions {
  readonly lane: Lane;
  /** How many deliveries at once. */
  readonly concurrency: number;
  /** How often to look for deliveries whose time has come, in ms. */
  readonly pollInterval: number;
  /** Makes the next delivery of an account. @returns whether there was one. It throws if the database does not answer. */
  readonly deliverNext: (accountId: number) => Promise<boolean>;
  /** Called when the database does not answer: with the first of several errors in a row. */
  readonly onProblem: (error: Error) => void;
}

/** For how long a slot delivers for one account while it has more, in ms. */
const TURN_MS = 1000;
/** Accounts whose last turn is remembered. */
const MAX_TURNS = 10_000;

export class LaneSlots {
  readonly #db: Database;
  readonly #options: SlotOptions;
  readonly #timer: NodeJS.Timeout;
  /** The account of each slot in use, and its turn. */
  readonly #serving = new Map<number, Promise<void>>();
  /** When the last turn of each account ended, the oldest first. */
  readonly #turns = new Map<number, number>();
  /** Whether more may be due than was seen. */
  #isDue = false;
  #isLooking = false;
  #hasProblem = false;
  #isStopped = false;

  constructor(db: Database, options: SlotOptions) {
    this.#db = db;
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), options.pollInterval);
    this.wake();
  }

  /** Has the lane look for deliveries that are due. */
  wake(): void {
    this.#isDue = true;
    if (!this.#isLooking) inBackground(this.#look());
  }

  /** Takes no further delivery. @returns once those under way have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#serving.values());
  }

  get #free(): number {
    return this.#isStopped ? 0 : this.#options.concurrency - this.#serving.size;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#isDue && this.#free > 0) {
      this.#isDue = false;
      const began = performance.now();
      const waiting = await this.#findWaiting();
      for (const accountId of waiting.slice(0, this.#free)) this.#serving.set(accountId, this.#serve(accountId));
      // Of those that are left one begins when a slot is free.
      this.#isDue ||= waiting.length > 0 && this.#free === 0;
      // At most half of the time, however much is queued.
      if (this.#isDue) await sleep(performance.now() - began);
    }
    this.#isLooking = false;
  }

  /** Those whose last turn was longest ago come first. None if the database does not answer: the next look is in time. */
  async #findWaiting(): Promise<number[]> {
    try {
      const waiting = await findWaitingAccounts(this.#db, this.#options.lane);
      this.#hasProblem = false;
      const lastTurn = (accountId: number) => this.#turns.get(accountId) ?? 0;
      return waiting.filter((accountId) => !this.#serving.has(accountId)).sort((a, b) => lastTurn(a) - lastTurn(b));
    } catch (error) {
      this.#report(error as Error);
      return [];
    }
  }

  async #serve(accountId: number): Promise<void> {
    const end = performance.now() + TURN_MS;
    let delivered = 0;
    try {
      while (!this.#isStopped && performance.now() < end && (await this.#options.deliverNext(accountId))) delivered++;
    } catch (error) {
      this.#report(error as Error);
    }
    this.#serving.delete(accountId);
    this.#turns.delete(accountId);
    this.#turns.set(accountId, performance.now());
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_TURNS && oldest !== undefined) this.#turns.delete(oldest);
    // What was queued for it since its last delivery was not seen by a look. If there was none, another worker or a lock has it.
    if (delivered > 0 || this.#isDue) this.wake();
  }

  #report(error: Error): void {
    if (!this.#hasProblem) this.#options.onProblem(error);
    this.#hasProblem = true;
  }
}
