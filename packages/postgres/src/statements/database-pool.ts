/** The connections of a database: Knex gets a session for each statement or transaction (`connectionPool`), which takes one when it needs it. */
import type { Knex } from 'knex';
import type { BoundedPool, PoolCounts, PooledClient } from '../connection/open-pool.ts';
import { markNotConnected } from '../store/sqlstate.ts';
import { Session } from './session.ts';
import { SharedReads } from './shared-reads.ts';

/** How long a request holds a connection, in ms, when the database is quick: who waits behind too many of these waits in vain. */
const TYPICAL_HOLD_MS = 20;

export class DatabasePool {
  readonly #pool: BoundedPool;
  readonly shared: SharedReads;
  #ended: Promise<void> | undefined = undefined;
  /** The most that may wait for a connection. */
  readonly #maxWaiting: number;

  /** @param acquireTimeoutMs how long a statement waits for a connection, in ms. */
  constructor(pool: BoundedPool, acquireTimeoutMs: number) {
    this.#pool = pool;
    this.shared = new SharedReads(this, pool, acquireTimeoutMs);
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
    if (this.isFull) this.shared.releaseIdle();
    return this.#pool.acquire();
  }

  /** Whether nobody can have a connection without another one giving it back. */
  get isFull(): boolean {
    return this.#pool.idleCount === 0 && this.#pool.totalCount >= this.#pool.options.max;
  }

  get counts(): PoolCounts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const idle = idleCount + this.shared.idle;
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
    while (this.shared.releaseIdle());
    return this.#ended;
  }
}

/** The pool of a database, or of a transaction on it. */
export const poolOf = (db: Knex): DatabasePool => (db.client as { config: { connectionPool: DatabasePool } }).config.connectionPool;
