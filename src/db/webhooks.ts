/** Webhooks: where an account's messages are delivered, and the secret that they are signed with. */
import { randomInt } from 'node:crypto';
import { returning, toColumns, type ColumnMap, type Database, type RecordOf, type RowOf, type Transaction } from '@specwright/postgres';
import { type Precondition, type Stored, requireVersion } from '@specwright/server';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { read, stored, table, transaction } from './store.ts';

export type NewWebhook = Input<'setWebhook'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { url: 'url' } as const satisfies ColumnMap<Tables['webhooks'], NewWebhook>;
const COLUMNS = { ...GIVEN, createdAt: 'created_at', version: 'version' } as const satisfies ColumnMap<
  Tables['webhooks'],
  Schemas['Webhook']
>;

type Row = RowOf<Tables['webhooks'], typeof COLUMNS>;
export type Webhook = RecordOf<Omit<Row, 'version'>>;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `whsec_` and 43 random characters of base62: 256 bits. */
const createSecret = () => `whsec_${Array.from({ length: 43 }, () => BASE62[randomInt(62)]).join('')}`;

const notFound = () => new AppError('not_found', 'there is no webhook');

/** @throws AppError not_found */
export async function getWebhook(db: Database, accountId: number): Promise<Stored<Webhook>> {
  const query = table(db, 'webhooks').where({ account_id: accountId });
  const row = await read(query.first<Row | undefined>(COLUMNS).options({ name: 'webhooks.get' }));
  if (row === undefined) throw notFound();
  return stored(row);
}

/** What a delivery needs; `undefined` if the account has no webhook. */
export async function findDeliveryTarget(db: Database, accountId: number): Promise<{ url: string; secret: string } | undefined> {
  const query = table(db, 'webhooks').where({ account_id: accountId }).first('url', 'secret');
  return read(query.options({ name: 'webhooks.findDeliveryTarget' }));
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
    if (before !== undefined) requireVersion(before, precondition);
    // `If-Match` asks for a version of what is there, and nothing is (RFC 9110, section 13.1.1).
    else if (precondition !== undefined) throw new AppError('precondition_failed', 'there is no webhook that header/If-Match could match');
    const secret = createSecret();
    const written = { ...toColumns(GIVEN, values), secret, created_at: now };
    // The next of its sequence, as for a new row.
    const next = { version: trx.raw('DEFAULT') };
    const query = table(trx, 'webhooks')
      .insert({ account_id: accountId, ...written })
      .onConflict('account_id');
    const [row] = await query.merge({ ...written, ...next }).returning<Row[]>(returning(COLUMNS));
    return { ...stored(row as Row), secret };
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
  return row && stored(row);
}
