/** Webhooks: where an account's messages are delivered, and the secret that they are signed with. */
import { randomInt } from 'node:crypto';
import type { Database } from '@specwright/postgres';
import { type Precondition, type Stored, requireVersion } from '@specwright/server';
import { AppError } from '../errors.ts';
import { read, transaction } from './store.ts';

export interface Webhook {
  url: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

interface Row extends Webhook {
  version: number;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const COLUMNS = { url: 'url', createdAt: 'created_at', version: 'version' };

/** `whsec_` and 43 random characters of base62: 256 bits. */
const createSecret = () => `whsec_${Array.from({ length: 43 }, () => BASE62[randomInt(62)]).join('')}`;

const stored = ({ version, ...record }: Row): Stored<Webhook> => ({ version: String(version), record });

const notFound = () => new AppError('not_found', 'there is no webhook');

/** @throws AppError not_found */
export async function getWebhook(db: Database, accountId: number): Promise<Stored<Webhook>> {
  const row = await read(db('webhooks').where({ account_id: accountId }).first<Row | undefined>(COLUMNS).options({ name: 'webhooks.get' }));
  if (row === undefined) throw notFound();
  return stored(row);
}

/** What a delivery needs; `undefined` if the account has no webhook. */
export async function findDeliveryTarget(db: Database, accountId: number): Promise<{ url: string; secret: string } | undefined> {
  const query = db('webhooks').where({ account_id: accountId }).first<{ url: string; secret: string } | undefined>('url', 'secret');
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
  url: string,
  now: Date,
  precondition?: Precondition,
): Promise<Stored<Webhook> & { secret: string }> {
  return transaction(db, async (trx) => {
    const before = await trx('webhooks').where({ account_id: accountId }).forUpdate().first<Row | undefined>(COLUMNS);
    if (before !== undefined) requireVersion(stored(before), precondition);
    // `If-Match` asks for a version of what is there, and nothing is (RFC 9110, section 13.1.1).
    else if (precondition !== undefined) throw new AppError('precondition_failed', 'there is no webhook that header/If-Match could match');
    const secret = createSecret();
    const { rows } = await trx.raw<{ rows: Row[] }>(
      `INSERT INTO webhooks (account_id, url, secret, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE
         SET url = excluded.url, secret = excluded.secret, created_at = excluded.created_at, version = DEFAULT
       RETURNING url, created_at AS "createdAt", version`,
      [accountId, url, secret, now],
    );
    return { ...stored(rows[0] as Row), secret };
  });
}

/** @throws AppError not_found, precondition_failed */
export async function deleteWebhook(db: Database, accountId: number, precondition?: Precondition): Promise<void> {
  await transaction(db, async (trx) => {
    const key = { account_id: accountId };
    const before = await trx('webhooks').where(key).forUpdate().first<Row | undefined>(COLUMNS);
    if (before === undefined) throw notFound();
    requireVersion(stored(before), precondition);
    await trx('webhooks').where(key).delete();
  });
}
