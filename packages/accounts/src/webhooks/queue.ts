/** The queue: the rows of `webhook_deliveries` that are `queued`, and their leases. */
import { randomUUID } from 'node:crypto';
import { connect, connectOptions, type Database } from '@specwright/postgres';
import { byLabel, gauge, type Metric } from '@specwright/server';
import { read } from './store.ts';

/** Deliveries in time, and those that follow a failure or are for a slow receiver. Neither waits for the other. */
export const LANES = ['first', 'retries'] as const;
export type Lane = (typeof LANES)[number];

/** Notified when a transaction that has queued deliveries commits. */
export const CHANNEL = 'webhook_deliveries';

/** What the metrics call the lanes. */
const TASKS: Readonly<Record<Lane, string>> = { first: 'deliver_webhook', retries: 'redeliver_webhook' };

/** A pool for the queue alone, so that neither the queue nor the requests can starve the other. @param pool the most connections at once. */
export function connectQueue(db: Database, pool: number): Database {
  const options = connectOptions(db);
  return connect({ ...options, name: `${options.name ?? 'webhook'} queue`, pool, acquireTimeoutMs: 2000 });
}

export interface DeliveryKey {
  readonly accountId: number;
  readonly id: string;
}

/** A delivery that a worker has leased, as it was then. */
export interface LeasedDelivery extends DeliveryKey {
  /** Unique for each lease: a worker may lose one, and lease the delivery again. */
  readonly leasedBy: string;
  readonly name: string;
  readonly body: string;
  readonly url: string | null;
  readonly secret: string | null;
  readonly traceparent: string | null;
  /** The tries that have failed. */
  readonly attempts: number;
  /** For how long it has been queued, in ms, by the clock of the database. */
  readonly age: number;
}

/** The columns of a delivery that nobody has leased. */
export const UNLEASED = { leased_by: null, leased_until: null };

/** More than a process can deliver to in the time between two looks. */
const MAX_WAITING = 10_000;

/**
 * The accounts with a delivery that is due and none under way in the lane; the one that has waited longest first. It reads what is due, of
 * accounts that are served too.
 */
export async function findWaitingAccounts(db: Database, lane: Lane): Promise<number[]> {
  const { rows } = await read(
    db.raw<{ rows: { accountId: number }[] }>(
      `SELECT account_id AS "accountId" FROM webhook_deliveries d
        WHERE status = 'queued' AND lane = ? AND due_at <= now()
          AND NOT EXISTS (SELECT FROM webhook_deliveries u WHERE u.account_id = d.account_id AND u.lane = d.lane AND u.leased_by IS NOT NULL)
        GROUP BY account_id ORDER BY min(due_at) LIMIT ?`,
      [lane, MAX_WAITING],
    ),
  );
  return rows.map(({ accountId }) => accountId);
}

// The head is chosen before its row is locked: SKIP LOCKED while choosing would lease the second delivery beside another worker's first.
const LEASE_HEAD = `UPDATE webhook_deliveries SET leased_by = :leasedBy, leased_until = now() + :lease::float8 * interval '1 millisecond'
    WHERE account_id = :accountId AND id = (
      SELECT id FROM webhook_deliveries WHERE account_id = :accountId AND status = 'queued' AND leased_by IS NULL AND id = (
        SELECT id FROM webhook_deliveries d
         WHERE account_id = :accountId AND lane = :lane AND status = 'queued' AND due_at <= now()
           AND NOT EXISTS (SELECT FROM webhook_deliveries u WHERE u.account_id = d.account_id AND u.lane = d.lane AND u.leased_by IS NOT NULL)
         ORDER BY due_at LIMIT 1)
      FOR UPDATE SKIP LOCKED)
   RETURNING account_id AS "accountId", id, leased_by AS "leasedBy", name, body, url, secret, traceparent, attempts,
     extract(epoch FROM now() - created_at)::float8 * 1000 AS age`;

const UNIQUE_VIOLATION = '23505';

/**
 * Leases the delivery of an account that is due first, if none of the account is under way in the lane.
 *
 * @param lease for how long, in ms. @returns `undefined` if there is none, or another worker has it.
 */
export async function leaseNext(db: Database, accountId: number, lane: Lane, lease: number): Promise<LeasedDelivery | undefined> {
  try {
    const values = { accountId, lane, leasedBy: randomUUID(), lease };
    const { rows } = await read(db.raw<{ rows: LeasedDelivery[] }>(LEASE_HEAD, values));
    return rows[0];
  } catch (error) {
    // Another worker has leased an earlier one, which was queued since this statement began.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

const keysOf = (deliveries: readonly DeliveryKey[]): (number | string)[][] => deliveries.map(({ accountId, id }) => [accountId, id]);

/** @param lease from now on, in ms. @returns the `leasedBy` of those that are still leased by it. */
export async function renewLeases(db: Database, leased: readonly LeasedDelivery[], lease: number): Promise<Set<string>> {
  const query = db('webhook_deliveries').whereIn(['account_id', 'id'], keysOf(leased));
  const holders = leased.map(({ leasedBy }) => leasedBy);
  const renewed = query
    .whereIn('leased_by', holders)
    .update({ leased_until: db.raw(`now() + ?::float8 * interval '1 millisecond'`, [lease]) });
  return new Set((await read(renewed.returning<{ leasedBy: string }[]>('leased_by AS leasedBy'))).map(({ leasedBy }) => leasedBy));
}

/**
 * Ends a lease whose delivery could not be made here: the longer it has been queued the later it is due, up to an hour.
 *
 * @param isDue whether it is due at once.
 */
export async function releaseLease(db: Database, { accountId, id, leasedBy }: LeasedDelivery, isDue: boolean): Promise<void> {
  const due = isDue ? 'now()' : `now() + least(greatest(now() - created_at, interval '1 second'), interval '1 hour')`;
  const query = db('webhook_deliveries').where({ account_id: accountId, id, leased_by: leasedBy });
  await read(query.update({ ...UNLEASED, due_at: db.raw(due) }));
}

/** Ends the leases that nobody has renewed in time: those of a process that has died. @returns how many there were. */
export const freeExpiredLeases = (db: Database): Promise<number> =>
  read(db('webhook_deliveries').whereNotNull('leased_by').where('leased_until', '<', db.fn.now()).update(UNLEASED));

/** How many deliveries are queued in each lane, and how long the oldest one that is due has waited. */
export async function queueMetrics(db: Database): Promise<Metric[]> {
  const { rows } = await db.raw<{ rows: { lane: Lane; jobs: number; age: number }[] }>(
    `SELECT lane, count(*)::float8 AS jobs,
            coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at <= now() AND leased_by IS NULL)), 0)::float8 AS age
       FROM webhook_deliveries WHERE status = 'queued' GROUP BY lane`,
  );
  const ofLanes = (name: string, help: string, field: 'jobs' | 'age'): Metric => {
    const valueOf = (lane: Lane) => rows.find((row) => row.lane === lane)?.[field] ?? 0;
    return gauge(name, help, byLabel('task', Object.fromEntries(LANES.map((lane) => [TASKS[lane], valueOf(lane)]))));
  };
  return [
    ofLanes('messages_queue_jobs', 'Messages that are queued, by task.', 'jobs'),
    ofLanes('messages_queue_age_seconds', 'How long the oldest message that could be sent has waited.', 'age'),
  ];
}
