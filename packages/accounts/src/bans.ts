/** Bans of API keys, and the refusals that lead to them. */
import type pg from 'pg';
import {
  type ActiveBans,
  type ApiKeyBan,
  type ApiKeyRef,
  afterRefusal,
  NO_STRIKES,
  type Refusal,
  type StrikeRecord,
} from '@specwright/server';

const COLUMNS = `refused_at AS "refusedAt", retry_at AS "retryAt", strikes, strikes_end AS "strikesEnd", bans, banned_until AS "bannedUntil"`;

const SAVE = `
  UPDATE api_key_bans SET refused_at = $3, retry_at = $4, strikes = $5, strikes_end = $6, bans = $7, banned_until = $8
   WHERE (account_id, key_id) = ($1, $2)`;

/** Bans that hold at a moment of the database's clock, moved by $1 ms. One statement: the number belongs to these rows. */
const ACTIVE = `
  SELECT c.changes, t.moment AS now, b.account_id AS "accountId", b.key_id AS "keyId", b.banned_until AS until
    FROM (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $1::double precision AS moment) t
   CROSS JOIN api_key_ban_changes c
    LEFT JOIN api_key_bans b ON b.banned_until > 0 AND b.banned_until > t.moment`;

const CHANGED = 'UPDATE api_key_ban_changes SET changes = changes + 1';

/** The bans that hold. @param advance ms by which the clock is moved. */
export async function activeBans(pool: pg.Pool, advance: number): Promise<ActiveBans> {
  type Row = { changes: number; now: number } & ApiKeyBan;
  const { rows } = await pool.query<Row>({ name: 'limits.bans', text: ACTIVE, values: [advance] });
  const [first] = rows;
  // NULL, which a LEFT JOIN without match gives, is left as it is by the types of the pool.
  const bans = rows
    .filter(({ until }) => (until as number | null) !== null)
    .map(({ accountId, keyId, until }) => ({ accountId, keyId, until }));
  return { changes: first?.changes ?? 0, now: first?.now ?? Date.now(), bans };
}

/**
 * Remembers refusals, one key's together: those that come while one transaction is under way go into the next.
 *
 * @returns `refuse`, which tells the ban that the key has after a refusal.
 */
export function createRefusals(pool: pg.Pool) {
  interface Waiting {
    readonly refusal: Refusal;
    readonly resolve: (ban: ApiKeyBan | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  const keys = new Map<string, Waiting[]>();

  async function run(name: string, key: ApiKeyRef): Promise<void> {
    for (;;) {
      const waiting = keys.get(name) ?? [];
      if (waiting.length === 0) return void keys.delete(name);
      keys.set(name, []);
      try {
        const until = await save(pool, key, waiting);
        waiting.forEach(({ resolve }, i) => resolve((until[i] ?? 0) > 0 ? { ...key, until: until[i] ?? 0 } : undefined));
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
  }

  return (key: ApiKeyRef, refusal: Refusal): Promise<ApiKeyBan | undefined> =>
    new Promise((resolve, reject) => {
      const name = `${key.accountId}/${key.keyId}`;
      const waiting = keys.get(name);
      const one = { refusal, resolve, reject };
      if (waiting !== undefined) return void waiting.push(one);
      keys.set(name, [one]);
      void run(name, key);
    });
}

/** @returns until when the key is banned after each refusal; 0 if it is not. */
async function save(pool: pg.Pool, key: ApiKeyRef, waiting: readonly { refusal: Refusal }[]): Promise<number[]> {
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
    const until = waiting.map(({ refusal }) => {
      record = afterRefusal(record, refusal);
      return record.bannedUntil > refusal.refusedAt ? record.bannedUntil : 0;
    });
    const { refusedAt, retryAt, strikes, strikesEnd, bans, bannedUntil } = record;
    await client.query({ name: 'bans.save', text: SAVE, values: [...id, refusedAt, retryAt, strikes, strikesEnd, bans, bannedUntil] });
    if (bannedUntil !== before.bannedUntil) {
      // A ban has to outlive a crash of the database, unlike a count.
      await client.query('SET LOCAL synchronous_commit = on');
      await client.query(CHANGED);
    }
    await client.query('COMMIT');
    client.release();
    return until;
  } catch (error) {
    // The connection may be lost or hang: with it ends the transaction.
    client.release(true);
    throw error;
  }
}

/**
 * Lifts the ban of a key and forgets its strikes. Every instance sees it within a second.
 *
 * @param key the key's id; @returns whether there was a ban.
 */
export async function liftBan(pool: pg.Pool, keyId: number): Promise<boolean> {
  const text = `
    WITH lifted AS (
      UPDATE api_key_bans SET refused_at = 0, retry_at = 0, strikes = 0, strikes_end = 0, bans = 0, banned_until = 0
       WHERE key_id = $1 AND (banned_until > (extract(epoch FROM now()) * 1000)::double precision OR strikes > 0)
      RETURNING 1)
    UPDATE api_key_ban_changes SET changes = changes + 1 WHERE EXISTS (SELECT FROM lifted)`;
  const { rowCount } = await pool.query(text, [keyId]);
  return (rowCount ?? 0) > 0;
}
