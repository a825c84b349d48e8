/** Webhooks: where an account's messages are delivered, and the secret that they are signed with. */
import { randomBytes } from 'node:crypto';
import {
  returning,
  toColumns,
  toStored,
  type ColumnMap,
  type Database,
  type RecordOf,
  type RowOf,
  type Transaction,
} from '@specwright/postgres';
import { type Precondition, type Stored, requireVersion } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { prepare, read, table, transaction } from './store.ts';

export type NewWebhook = Input<'setWebhook'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { url: 'url' } as const satisfies ColumnMap<Tables['webhooks'], NewWebhook>;
const COLUMNS = { ...GIVEN, createdAt: 'created_at', version: 'version' } as const satisfies ColumnMap<
  Tables['webhooks'],
  Schemas['Webhook']
>;

type Row = RowOf<Tables['webhooks'], typeof COLUMNS>;
export type Webhook = RecordOf<Omit<Row, 'version'>>;

/** `whsec_` and base64 of 256 random bits, as Standard Webhooks asks for. */
const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const notFound = () => new AppError('not_found', 'there is no webhook');

const find = prepare('webhooks.get', (db, accountId: number) =>
  table(db, 'webhooks').where({ account_id: accountId }).first<Row | undefined>(COLUMNS),
);

/** @throws AppError not_found */
export async function getWebhook(db: Database, accountId: number): Promise<Stored<Webhook>> {
  const row = await find(db, accountId);
  if (row === undefined) throw notFound();
  return toStored(row);
}

/** What a delivery needs. */
export interface DeliveryTarget {
  readonly url: string;
  readonly secret: string;
  /** Which webhook it is: another one of the account has another. */
  readonly version: number;
  /** Deliveries that have failed since the last one that succeeded. */
  readonly failures: number;
  /** Whether nothing is sent to it for now. */
  readonly isPaused: boolean;
}

const findTarget = prepare('webhooks.findDeliveryTarget', (db, accountId: number) => {
  const isPaused = db.raw<{ isPaused: boolean }>('coalesce(paused_until > now(), false) AS "isPaused"');
  const query = table(db, 'webhooks').where({ account_id: accountId });
  return query.first<DeliveryTarget | undefined>('url', 'secret', 'version', 'failures', isPaused);
});

/** @returns `undefined` if the account has no webhook. */
export const findDeliveryTarget = (db: Database, accountId: number) => findTarget(db, accountId);

/** Forgets the failures of a webhook to which a delivery has succeeded. */
export async function recordSuccess(db: Database, accountId: number, { version }: DeliveryTarget): Promise<void> {
  await read(table(db, 'webhooks').where({ account_id: accountId, version }).update({ failures: 0, paused_until: null }));
}

/** Counts a failed delivery. From `threshold` in a row on, nothing is sent for `pause` ms, and then one to see. */
export async function recordFailure(
  db: Database,
  accountId: number,
  { version }: DeliveryTarget,
  { threshold, pause }: { threshold: number; pause: number },
): Promise<void> {
  const pausedUntil = db.raw(`CASE WHEN failures + 1 >= ? THEN now() + ?::float8 * interval '1 millisecond' END`, [threshold, pause]);
  const query = table(db, 'webhooks').where({ account_id: accountId, version });
  // Up to a number that says enough: a receiver may be away for years.
  await read(query.update({ failures: db.raw('least(failures + 1, 1000)'), paused_until: pausedUntil }));
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
  values: NewWebhook,
  now: Date,
  precondition?: Precondition,
): Promise<Stored<Webhook> & { secret: string }> {
  return transaction(db, async (trx) => {
    const before = await lockWebhook(trx, accountId);
    requireVersion(before, precondition);
    const secret = createSecret();
    // A new row, because its version is the next DEFAULT, which Citus takes in an INSERT only.
    if (before !== undefined) await table(trx, 'webhooks').where({ account_id: accountId }).delete();
    const row = { account_id: accountId, ...toColumns(GIVEN, values), secret, created_at: now };
    const query = table(trx, 'webhooks').insert(row).onConflict('account_id').ignore();
    const [created] = await query.returning<Row[]>(returning(COLUMNS));
    // Another request has set one since the look at it.
    if (created === undefined) return setWebhook(trx, accountId, values, now, precondition);
    return { ...toStored(created), secret };
  });
}

/** @throws AppError not_found, precondition_failed */
export async function deleteWebhook(db: Database, accountId: number, precondition?: Precondition): Promise<void> {
  await transaction(db, async (trx) => {
    const before = await lockWebhook(trx, accountId);
    if (before === undefined) throw notFound();
    requireVersion(before, precondition);
    await table(trx, 'webhooks').where({ account_id: accountId }).delete();
  });
}

async function lockWebhook(trx: Transaction, accountId: number): Promise<Stored<Webhook> | undefined> {
  const row = await table(trx, 'webhooks').where({ account_id: accountId }).forUpdate().first<Row | undefined>(COLUMNS);
  return row && toStored(row);
}
