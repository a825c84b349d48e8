/** Bans of API keys, and the refusals that lead to them, in PostgreSQL. */
import type pg from 'pg';
import { inBackground } from '@specwright/server';
import {
  type ActiveBans,
  type ApiKeyBan,
  type ApiKeyRef,
  afterRefusal,
  banDuration,
  NO_STRIKES,
  type Refusal,
  type StrikeRecord,
} from '@specwright/server/limits';

const COLUMNS = `refused_at AS "refusedAt", retry_at AS "retryAt", strikes, strikes_end AS "strikesEnd", bans, banned_until AS "bannedUntil"`;

const SAVE_RECORD = `
  UPDATE api_key_bans SET refused_at = $3, retry_at = $4, strikes = $5, strikes_end = $6, bans = $7, banned_until = $8
   WHERE (account_id, key_id) = ($1, $2)`;

/** Bans that are active by the database's clock, moved by $1 ms. One statement, so that `changes` is the number of these rows. */
const SELECT_ACTIVE = `
  SELECT c.changes, t.moment AS now, b.account_id AS "accountId", b.key_id AS "keyId", b.banned_until AS until, b.bans
    FROM (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $1::double precision AS moment) t
   CROSS JOIN api_key_ban_changes c
    LEFT JOIN api_key_bans b ON b.banned_until > 0 AND b.banned_until > t.moment`;

const CLAMP_BANS = `
  UPDATE api_key_bans b SET banned_until = least(b.banned_until, t.moment + CASE b.bans WHEN 1 THEN $2::double precision WHEN 2 THEN $3 ELSE $4 END)
    FROM (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $1::double precision AS moment) t
   WHERE b.banned_until > t.moment`;

/** Moments of two servers differ by less, in ms. */
const MAX_CLOCK_SKEW_MS = 10_000;

const COUNT_CHANGE = 'UPDATE api_key_ban_changes SET changes = changes + 1';

/** The active bans. @param advance how far the clock is moved, in ms. */
export async function activeBans(pool: pg.Pool, advance: number): Promise<ActiveBans> {
  type Row = { changes: number; now: number; bans: number } & ApiKeyBan;
  const { rows } = await pool.query<Row>({ name: 'limits.activeBans', text: SELECT_ACTIVE, values: [advance] });
  const [first] = rows;
  // The clock was set back since the ban began.
  if (rows.some(({ until, bans, now }) => until > now + banDuration(bans) + MAX_CLOCK_SKEW_MS)) {
    await pool.query({ name: 'limits.clampBans', text: CLAMP_BANS, values: [advance, ...[1, 2, 3].map(banDuration)] });
    return activeBans(pool, advance);
  }
  // A LEFT JOIN without a match gives NULL, which the pool's type parsers do not see.
  const bans = rows
    .filter(({ until }) => (until as number | null) !== null)
    .map(({ accountId, keyId, until }) => ({ accountId, keyId, until }));
  return { changes: first?.changes ?? 0, now: first?.now ?? Date.now(), bans };
}

/**
 * Records refusals. Those of one key that come while a transaction of the key is under way go into the next one together.
 *
 * @returns a function that records one refusal and resolves to the ban that the key has after it.
 */
export function createRefusalRecorder(pool: pg.Pool) {
  interface PendingRefusal {
    readonly refusal: Refusal;
    readonly resolve: (ban: ApiKeyBan | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  const pendingByKey = new Map<string, PendingRefusal[]>();

  async function saveAll(name: string, key: ApiKeyRef): Promise<void> {
    for (;;) {
      const pending = pendingByKey.get(name) ?? [];
      if (pending.length === 0) return void pendingByKey.delete(name);
      pendingByKey.set(name, []);
      try {
        const until = await save(pool, key, pending);
        pending.forEach(({ resolve }, i) => resolve((until[i] ?? 0) > 0 ? { ...key, until: until[i] ?? 0 } : undefined));
      } catch (error) {
        for (const { reject } of pending) reject(error);
      }
    }
  }

  return (key: ApiKeyRef, refusal: Refusal): Promise<ApiKeyBan | undefined> =>
    new Promise((resolve, reject) => {
      const name = `${key.accountId}/${key.keyId}`;
      const pending = pendingByKey.get(name);
      const added = { refusal, resolve, reject };
      if (pending !== undefined) return void pending.push(added);
      pendingByKey.set(name, [added]);
      inBackground(saveAll(name, key));
    });
}

/** Saves refusals of a key in one transaction. @returns for each when the ban after it ends (ms since the epoch), or 0. */
async function save(pool: pg.Pool, key: ApiKeyRef, pending: readonly { refusal: Refusal }[]): Promise<number[]> {
  const client = await pool.connect();
  const id = [key.accountId, key.keyId];
  try {
    await client.query('BEGIN');
    await client.query({
      name: 'bans.add',
      text: 'INSERT INTO api_key_bans (account_id, key_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: id,
    });
    const { rows } = await client.query<StrikeRecord>({
      name: 'bans.lock',
      text: `SELECT ${COLUMNS} FROM api_key_bans WHERE (account_id, key_id) = ($1, $2) FOR UPDATE`,
      values: id,
    });
    const before = rows[0] ?? NO_STRIKES;
    let record = before;
    const until = pending.map(({ refusal }) => {
      record = afterRefusal(record, refusal);
      return record.bannedUntil > refusal.refusedAt ? record.bannedUntil : 0;
    });
    const { refusedAt, retryAt, strikes, strikesEnd, bans, bannedUntil } = record;
    await client.query({
      name: 'bans.save',
      text: SAVE_RECORD,
      values: [...id, refusedAt, retryAt, strikes, strikesEnd, bans, bannedUntil],
    });
    if (bannedUntil !== before.bannedUntil) {
      // A ban has to survive a crash of the database; counts need not.
      await client.query('SET LOCAL synchronous_commit = on');
      await client.query(COUNT_CHANGE);
    }
    await client.query('COMMIT');
    client.release();
    return until;
  } catch (error) {
    // Destroys the connection, which may be lost or hang, and so ends the transaction.
    client.release(true);
    throw error;
  }
}

/**
 * Removes the ban of a key and its strikes.
 *
 * @returns whether there was a ban or a strike.
 */
export async function removeBan(pool: pg.Pool, keyId: number): Promise<boolean> {
  const text = `
    WITH lifted AS (
      UPDATE api_key_bans SET refused_at = 0, retry_at = 0, strikes = 0, strikes_end = 0, bans = 0, banned_until = 0
       WHERE key_id = $1 AND (banned_until > (extract(epoch FROM now()) * 1000)::double precision OR strikes > 0)
      RETURNING 1)
    UPDATE api_key_ban_changes SET changes = changes + 1 WHERE EXISTS (SELECT FROM lifted)`;
  const { rowCount } = await pool.query(text, [keyId]);
  return (rowCount ?? 0) > 0;
}
