/** Webhooks: where an account's messages are delivered, and the secret that they are signed with. */
import { returning, toStored, type Database, type Transaction } from '@specwright/postgres';
import { type Precondition, type Stored, requireVersion } from '@specwright/server';
import { WebhookError } from './webhook-url.ts';
import { createSecret } from './sign.ts';
import { withTextDates } from '../text-dates.ts';
import { read, transaction } from './store.ts';

export interface NewWebhook {
  url: string;
}

export interface Webhook extends NewWebhook {
  /** ISO 8601, UTC. */
  createdAt: string;
}

interface Row extends Webhook {
  version: number;
}

const COLUMNS = { url: 'url', createdAt: 'created_at', version: 'version' };

const notFound = () => new WebhookError('not_found', 'there is no webhook');

/** @throws AppError not_found */
export async function getWebhook(db: Database, accountId: number): Promise<Stored<Webhook>> {
  const row = await read(db('webhooks').where({ account_id: accountId }).first<Row | undefined>(COLUMNS));
  if (row === undefined) throw notFound();
  return toStored(withTextDates(row));
}

export interface DeliveryTarget {
  readonly url: string;
  readonly secret: string;
  /** Which webhook it is: another one of the account has another. */
  readonly version: number;
  /** Deliveries that have failed since the last one that succeeded. */
  readonly failures: number;
  /** For how long nothing is sent to it, in ms; 0 if it is not paused. */
  readonly pausedFor: number;
}

/** When the pause of a webhook ends whose receiver is gone for good: only setting it again ends it. */
const GONE_UNTIL = '9999-01-01T00:00:00Z';
const GONE_FOR_MS = 100 * 365 * 86_400_000;

/** Whether its receiver has said that it is gone for good. */
export const isGone = ({ pausedFor }: DeliveryTarget): boolean => pausedFor > GONE_FOR_MS;

/** @returns `undefined` if the account has no webhook. */
export function findDeliveryTarget(db: Database, accountId: number): Promise<DeliveryTarget | undefined> {
  const pausedFor = db.raw<{ pausedFor: number }>(
    `greatest(coalesce(extract(epoch FROM paused_until - now()), 0), 0)::float8 * 1000 AS "pausedFor"`,
  );
  const query = db('webhooks').where({ account_id: accountId });
  return read(query.first<DeliveryTarget | undefined>('url', 'secret', 'version', 'failures', pausedFor));
}

/** Forgets the failures of a webhook to which a delivery has succeeded. */
export async function recordSuccess(db: Database, accountId: number, { version }: DeliveryTarget): Promise<void> {
  await read(db('webhooks').where({ account_id: accountId, version }).update({ failures: 0, paused_until: null }));
}

export interface Breaker {
  /** After how many failures in a row. */
  readonly threshold: number;
  /** For how long, in ms; each further failure doubles it, up to an hour. */
  readonly pause: number;
}

const MAX_PAUSE_MS = 3_600_000;

/**
 * Counts a failed delivery. From `threshold` in a row on, nothing is sent for `pause` ms, and then one to see.
 *
 * @param retryAfter how long the receiver asks to be left alone, in ms.
 */
export async function recordFailure(
  db: Database,
  accountId: number,
  { version }: DeliveryTarget,
  { threshold, pause, retryAfter }: Breaker & { retryAfter?: number | undefined },
): Promise<void> {
  // In a CASE Citus takes only immutable functions. Without a length there is no time.
  const pausedUntil = db.raw(
    `now() + greatest(CASE WHEN failures + 1 >= ? THEN least(?::float8 * power(2, least(failures + 1 - ?, 30)), ?) END, ?::float8)
       * interval '1 millisecond'`,
    [threshold, pause, threshold, Math.max(MAX_PAUSE_MS, pause), retryAfter ?? null],
  );
  const query = db('webhooks').where({ account_id: accountId, version });
  // Up to a number that says enough: a receiver may be away for years.
  await read(query.update({ failures: db.raw('least(failures + 1, 1000)'), paused_until: pausedUntil }));
}

/** Sends nothing more to a webhook whose receiver says that it is gone, until the webhook is set again. */
export async function recordGone(db: Database, accountId: number, { version }: DeliveryTarget): Promise<void> {
  await read(db('webhooks').where({ account_id: accountId, version }).update({ paused_until: GONE_UNTIL }));
}

/**
 * Sets the webhook, whether there was one or not, with a new secret.
 *
 * @returns the webhook and the secret: the only time that it can be shown.
 * @throws AppError precondition_failed
 */
export async function setWebhook(
  db: Database,
  accountId: number,
  { url }: NewWebhook,
  now: Date,
  precondition?: Precondition,
): Promise<Stored<Webhook> & { secret: string }> {
  return transaction(db, async (trx) => {
    const before = await lockWebhook(trx, accountId);
    requireVersion(before, precondition);
    const secret = createSecret();
    // A new row, because its version is the next DEFAULT, which Citus takes in an INSERT only.
    if (before !== undefined) await trx('webhooks').where({ account_id: accountId }).delete();
    const row = { account_id: accountId, url, secret, created_at: now };
    const query = trx('webhooks').insert(row).onConflict('account_id').ignore();
    const [created] = await query.returning<Row[]>(returning(COLUMNS));
    // Another request has set one since the look at it.
    if (created === undefined) return setWebhook(trx, accountId, { url }, now, precondition);
    return { ...toStored(withTextDates(created)), secret };
  });
}

/** Deletes the webhook of an account. What still waits for it fails. @throws AppError not_found, precondition_failed */
export async function deleteWebhook(db: Database, accountId: number, precondition?: Precondition): Promise<void> {
  await transaction(db, async (trx) => {
    const before = await lockWebhook(trx, accountId);
    if (before === undefined) throw notFound();
    requireVersion(before, precondition);
    await trx('webhooks').where({ account_id: accountId }).delete();
    await trx('webhook_deliveries').where({ account_id: accountId, status: 'queued', url: null }).update({ webhook_deleted: true });
  });
}

async function lockWebhook(trx: Transaction, accountId: number): Promise<Stored<Webhook> | undefined> {
  const row = await trx('webhooks').where({ account_id: accountId }).forUpdate().first<Row | undefined>(COLUMNS);
  return row && toStored(withTextDates(row));
}
