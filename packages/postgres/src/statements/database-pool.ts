/** The connections of a database: Knex gets a session for each statement or transaction (`connectionPool`), which takes one when it needs it. */
import type { Knex } from 'knex';
import type { Done, Statement } from '../connection/statement.ts';
import type { BoundedPool, PoolCounts, PooledClient } from '../connection/open-pool.ts';
import { findSession } from '../connection/session-probe.ts';
import { localSettings } from '../connection/session-settings.ts';
import { markNotConnected } from '../store/sqlstate.ts';
import { Session } from './session.ts';
import { SharedReads } from './shared-reads.ts';

/** How long a request holds a connection, in ms, when the database is quick: who waits behind too many of these waits in vain. */
const TYPICAL_HOLD_MS = 20;
/** A read that calls no function, which may do more than read, and locks nothing. */
const READ = /^\s*select\b(?!.*\w\()(?!.*\bfor (?:no key update|update|share|key share)\b)/is;

const readsOnly = new Map<string, boolean>();
const MAX_CACHED = 2000;

export class DatabasePool {
  readonly #pool: BoundedPool;
  readonly #shared = new SharedReads(this);
  readonly #timeouts: Readonly<Record<string, number>>;
  readonly acquireTimeoutMs: number;
  #ended: Promise<void> | undefined = undefined;
  /** The most that may wait for a connection. */
  readonly #maxWaiting: number;

  /** @param timeouts the settings of sessions, in ms. @param acquireTimeoutMs how long a statement waits for a connection, in ms. */
  constructor(pool: BoundedPool, timeouts: Readonly<Record<string, number>>, acquireTimeoutMs: number) {
    this.acquireTimeoutMs = acquireTimeoutMs;
    this.#pool = pool;
    this.#timeouts = timeouts;
    this.#maxWaiting = Math.max(pool.options.max, Math.ceil((pool.options.max * acquireTimeoutMs) / TYPICAL_HOLD_MS));
  }

  /** For Knex: what it has as a connection. */
  async connect(): Promise<Session> {
    return new Session(this);
  }

  /** A connection for one statement or transaction. @throws as the pool; an error with the code 08001 if too many wait already. */
  async acquire(): Promise<PooledClient> {
    const waiting = this.#pool.waitingCount;
    if (waiting >= this.#maxWaiting) {
      const error = Object.assign(new Error(`unable to acquire a connection: ${waiting} others are waiting for one`), { code: '08001' });
      markNotConnected(error);
      throw error;
    }
    if (this.isFull) this.#shared.releaseIdle();
    return this.#pool.acquire();
  }

  /** Whether a statement may share a connection. */
  canShare({ name, text }: Statement): boolean {
    if (name === undefined) return false;
    let isRead = readsOnly.get(name);
    if (isRead === undefined) {
      if (readsOnly.size >= MAX_CACHED) readsOnly.clear();
      readsOnly.set(name, (isRead = READ.test(text)));
    }
    return isRead;
  }

  share(statement: Statement, done: Done): void {
    this.#shared.run(statement, done);
  }

  /** BEGIN as a connection needs it: behind a pooler sessions have not the settings of the start-up message. */
  beginOn({ address }: PooledClient, begin: string): readonly string[] {
    return [begin, ...(findSession(address)?.hasSettings === false ? localSettings(this.#timeouts) : [])];
  }

  /** Whether nobody can have a connection without another one giving it back. */
  get isFull(): boolean {
    return this.#pool.idleCount === 0 && this.#pool.totalCount >= this.#pool.options.max;
  }

  get counts(): PoolCounts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const idle = idleCount + this.#shared.idle;
    return { used: totalCount - idle, idle, max: this.#pool.options.max, waiting: waitingCount };
  }

  get totalCount(): number {
    return this.#pool.totalCount;
  }

  get idleCount(): number {
    return this.counts.idle;
  }

  get waitingCount(): number {
    return this.#pool.waitingCount;
  }

  /** Closes the connections, once nothing is under way. */
  end(): Promise<void> {
    this.#ended ??= this.#pool.end();
    while (this.#shared.releaseIdle());
    return this.#ended;
  }
}

/** The pool of a database, or of a transaction on it. */
export const poolOf = (db: Knex): DatabasePool => (db.client as { config: { connectionPool: DatabasePool } }).config.connectionPool;
