/** Notifications that a transaction sends, and that never fail what they announce: PostgreSQL refuses the COMMIT if its queue of them is full. */
import type { Database } from '../connection/connect.ts';
import type { Metric } from '@specwright/server';

/** How long nothing is notified after the queue was full, in ms. What is announced is polled, or expires, meanwhile. */
const SUSPENSION_MS = 5000;

let suspendedUntil = 0;
let refused = 0;

/** Has transactions notify nothing for a while: the one that was refused succeeds when it is run again. */
export function suspendNotifications(): void {
  suspendedUntil = performance.now() + SUSPENSION_MS;
  refused += 1;
}

/** Whether transactions have to do without notifications. */
export const areNotificationsSuspended = (): boolean => performance.now() < suspendedUntil;

/** Sends a notification if and when the transaction commits; none while the queue is full. */
export async function notify(trx: Database, channel: string, payload: string): Promise<void> {
  if (!areNotificationsSuspended()) await trx.raw('SELECT pg_notify(?, ?)', [channel, payload]);
}

/** A source of metrics. */
export const notificationMetrics = (): Metric[] => [
  {
    name: 'db_client_notify_queue_full_total',
    help: 'Transactions that PostgreSQL has refused because its queue of notifications was full.',
    type: 'counter',
    values: [{ value: refused }],
  },
];
