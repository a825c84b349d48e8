/** Looks up whose a key is. */
import type { Database } from '@specwright/postgres';
import { ALL_SCOPES, type Quota, type Scoped } from '@specwright/server';
import { hashKey, isWellFormed } from './key-format.ts';
import { read } from '../store.ts';
import { IS_VALID } from './valid-key.ts';

export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: string;
  /** The limits that were agreed with an Enterprise account. */
  readonly quota?: Quota;
  /** The scopes that the key is restricted to, or all. */
  readonly scopes: Scoped['scopes'];
}

export interface CallerLookup {
  readonly caller: Caller;
  /** Until the key expires, in ms; infinite if it does not. */
  readonly expiresInMs: number;
  /** Whether the last use of the key is recorded for this minute. */
  readonly isUseRecorded: boolean;
}

interface Row extends Omit<Caller, 'quota' | 'scopes'> {
  readonly scopes: readonly string[] | null;
  readonly perMinute: number | null;
  readonly perDay: number | null;
  readonly expiresInMs: number | null;
  readonly isUseRecorded: boolean;
}

const rowOf = (db: Database, hash: Buffer) =>
  db('api_keys')
    .join('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('api_keys.hash', hash)
    .whereNull('accounts.suspended_at')
    .whereRaw(IS_VALID)
    .first<Row | undefined>(
      db.raw(`api_keys.account_id AS "accountId", id AS "keyId", plan, minute_limit AS "perMinute", day_limit AS "perDay", scopes,
        (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "expiresInMs",
        coalesce(last_used_at > now() - interval '1 minute', false) AS "isUseRecorded"`),
    );

/** @returns the caller; undefined if the key is unknown, revoked or expired, or the account is suspended. */
export async function findCaller(db: Database, key: string): Promise<Caller | undefined> {
  return (await lookUpCaller(db, key))?.caller;
}

/** As `findCaller`, with what a cache needs to know. */
export async function lookUpCaller(db: Database, key: string): Promise<CallerLookup | undefined> {
  if (!isWellFormed(key)) return undefined;
  const row = await read(rowOf(db, hashKey(key)));
  if (row === undefined) return undefined;
  const { perMinute, perDay, expiresInMs, isUseRecorded, scopes, ...holder } = row;
  // An account has both or neither (the constraint accounts_quota).
  const quota = perDay === null ? {} : { quota: { minute: Number(perMinute), day: perDay } };
  return { caller: { ...holder, ...quota, scopes: scopes ?? ALL_SCOPES }, expiresInMs: expiresInMs ?? Infinity, isUseRecorded };
}
