/** Reads that share connections: they are sent without waiting for each other (node-postgres.com/features/pipelining), and answered in order. */
import { AsyncResource } from 'node:async_hooks';
import { isTelemetryRegistered } from '@specwright/contract/runtime';
import { type Done, NOTHING, type Statement } from '../connection/statement.ts';
import type { PooledClient } from '../connection/open-pool.ts';

/** How long the first read of an earlier turn of the event loop may be unanswered, in ms, before another connection is shared, too. */
const MAX_BEHIND_MS = 2;
/** The most reads that are under way on a connection. The last of them waits for all before it. */
const MAX_READS = 64;
/** No read is sent behind one that has taken longer, in ms. */
const MAX_QUICK_MS = 10;
/** Reads behind one that has taken longer, in ms, are sent once more over another connection: the first answer counts. */
const HELD_UP_MS = 50;
/** How many times a read is sent. */
const MAX_ATTEMPTS = 3;
const SWEEP_MS = 25;
/** A connection that no read has used for so long, in ms, goes back to the pool. */
const MAX_IDLE_MS = 1000;

/** Where the connections are from. */
interface ReadPool {
  readonly isFull: boolean;
  acquire(): Promise<PooledClient>;
}

interface Read {
  readonly statement: Statement;
  readonly done: Done;
  /** When it was asked for, on the clock of `performance.now()`, in ms. */
  readonly since: number;
  /** When it was sent last, on the same clock, and in which turn of the event loop. */
  sentAt: number;
  turn: number;
  /** Over how many connections it was sent, and is not answered. */
  underWay: number;
  attempts: number;
  isDone: boolean;
}

interface Shared {
  readonly client: PooledClient;
  /** Those under way, in the order of their answers. */
  readonly reads: Read[];
  /** Since when the first of them is, or none, on the clock of `performance.now()`, in ms. */
  since: number;
  isLost: boolean;
  /** Whether the server needs longer than this process: further reads are for another connection. */
  isBehind: boolean;
}

/** The server ends the session, or all of them. */
const ENDS_SESSION = /^57P0[1-3]$/;

export class SharedReads {
  readonly #pool: ReadPool;
  readonly #connections: { readonly waitingCount: number };
  readonly #acquireTimeoutMs: number;
  /** Whether what is traced goes on in the callback of a read. */
  readonly #isTraced = isTelemetryRegistered();
  readonly #shared: Shared[] = [];
  #waiting: Read[] = [];
  #acquiring = 0;
  /** Counts the writes. */
  #turn = 0;
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param connections those of the pool: how many wait for one. @param acquireTimeoutMs how long a read may, in ms. */
  constructor(pool: ReadPool, connections: { readonly waitingCount: number }, acquireTimeoutMs: number) {
    this.#pool = pool;
    this.#connections = connections;
    this.#acquireTimeoutMs = acquireTimeoutMs;
  }

  /** Connections that no read uses at the moment. */
  get idle(): number {
    return this.#shared.filter(({ reads }) => reads.length === 0).length;
  }

  run(statement: Statement, done: Done): void {
    const now = performance.now();
    const bound = this.#isTraced ? AsyncResource.bind(done) : done;
    this.#dispatch({ statement, done: bound, since: now, sentAt: 0, turn: 0, underWay: 0, attempts: 0, isDone: false }, now);
  }

  /** Gives a connection back that no read uses. @returns whether there was one. */
  releaseIdle(): boolean {
    const idle = this.#shared.find(({ reads }) => reads.length === 0);
    if (idle !== undefined) this.#release(idle);
    return idle !== undefined;
  }

  #dispatch(read: Read, now = performance.now()): void {
    const best = this.#findBest(now);
    if (best === undefined) this.#waiting.push(read);
    else this.#send(best, read, now);
    const needsAnother =
      best === undefined
        ? this.#acquiring * MAX_READS < this.#waiting.length
        : best.isBehind && this.#acquiring === 0 && !this.#pool.isFull;
    if (needsAnother) this.#acquire();
  }

  /** The first connection that keeps up: the more reads go over one, the less each costs. Otherwise the one with the fewest. */
  #findBest(now: number): Shared | undefined {
    // Who waits for a connection has come before.
    if (this.#connections.waitingCount > 0) return undefined;
    let best: Shared | undefined;
    for (const one of this.#shared) {
      const { client, reads, since, isBehind } = one;
      if (client.failure !== undefined || reads.length >= MAX_READS) continue;
      if (reads.length === 0) return one;
      if (now - since >= MAX_QUICK_MS) continue;
      if (!isBehind) return one;
      if (best === undefined || reads.length < best.reads.length) best = one;
    }
    return best;
  }

  #acquire(): void {
    const began = performance.now();
    this.#acquiring += 1;
    this.#pool.acquire().then(
      (client) => {
        this.#acquiring -= 1;
        const shared: Shared = { client, reads: [], since: performance.now(), isLost: false, isBehind: false };
        this.#shared.push(shared);
        this.#timer ??= setInterval(this.#sweep, SWEEP_MS).unref();
        for (const waiting of this.#waiting.splice(0, MAX_READS)) this.#send(shared, waiting, shared.since);
        this.#settle(shared);
      },
      (error: unknown) => {
        this.#acquiring -= 1;
        this.#rejectSince(began, error);
      },
    );
  }

  /** Who came later has waited for less: they may still get a connection, and are rejected after as long a wait. */
  #rejectSince(began: number, error: unknown): void {
    const late = this.#waiting.filter(({ since }) => since > began);
    const due = this.#waiting.filter(({ since }) => since <= began);
    this.#waiting = late;
    for (const { done } of due) done(error as Error, NOTHING);
    const [next] = late;
    if (next === undefined) return;
    if (this.#acquiring === 0) this.#acquire();
    const dueIn = next.since + this.#acquireTimeoutMs - performance.now();
    setTimeout(() => this.#rejectSince(next.since, error), Math.max(1, Math.ceil(dueIn))).unref();
  }

  /** At the end of a turn of the event loop, in which reads were asked for. */
  readonly #endTurn = (shared: Shared): void => {
    this.#turn += 1;
    const [first] = shared.reads;
    shared.isBehind = first !== undefined && first.turn + 1 < this.#turn && performance.now() - first.sentAt > MAX_BEHIND_MS;
    shared.client.uncork();
  };

  #send(shared: Shared, read: Read, now: number): void {
    const { client, reads } = shared;
    if (!client.isCorked) {
      client.cork();
      setImmediate(this.#endTurn, shared);
    }
    read.attempts += 1;
    read.sentAt = now;
    read.turn = this.#turn;
    const isSent = client.send(read.statement, (error, result) => {
      if (isSent) {
        read.underWay -= 1;
        reads.shift();
        shared.since = client.heardAt;
        this.#settle(shared);
      }
      if (read.isDone || (error !== null && this.#isSentAgain(shared, read, error, result))) return;
      read.isDone = true;
      read.done(error, result);
    });
    if (!isSent) return;
    if (reads.length === 0) shared.since = now;
    reads.push(read);
    read.underWay += 1;
  }

  /** Whether a read that has failed is under way over another connection, as this one is lost. */
  #isSentAgain(shared: Shared, read: Read, error: Error & { readonly code?: string }, { command }: Parameters<Done>[1]): boolean {
    if (shared.client.failure === undefined && !ENDS_SESSION.test(error.code ?? '')) return false;
    // The first may be the reason why the connection is lost; those behind it are read again, and one with another's answer.
    const isBehind = shared.isLost || command === null;
    shared.isLost = true;
    if (read.underWay > 0) return true;
    if (!isBehind || read.attempts >= MAX_ATTEMPTS) return false;
    this.#dispatch(read);
    return true;
  }

  /** Gives the connection back if it is of no further use here, or if it is waited for. */
  #settle(shared: Shared): void {
    const { client, reads } = shared;
    if (client.failure !== undefined || (reads.length === 0 && this.#connections.waitingCount > 0)) this.#release(shared);
  }

  #release(shared: Shared): void {
    const index = this.#shared.indexOf(shared);
    if (index === -1) return;
    this.#shared.splice(index, 1);
    shared.client.release(shared.client.failure !== undefined);
    if (this.#shared.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  readonly #sweep = (): void => {
    const now = performance.now();
    for (const shared of this.#shared.slice()) {
      const { reads, since } = shared;
      if (reads.length === 0) {
        if (now - since > MAX_IDLE_MS) this.#release(shared);
        // Timers run before input is read: after a pause of this process the answer may be there already.
      } else if (now - since > HELD_UP_MS) setImmediate(() => shared.since === since && this.#overtake(shared));
    }
  };

  #overtake({ reads }: Shared): void {
    const [, ...behind] = reads;
    for (const read of behind) if (!read.isDone && read.underWay === 1 && read.attempts < MAX_ATTEMPTS) this.#dispatch(read);
  }
}
