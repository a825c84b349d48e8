/** The store of responses to requests with an `Idempotency-Key`, in the transaction of what the requests have done. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { type Database, type Transaction } from '@specwright/postgres';
import {
  ALL_SCOPES,
  inTime,
  type IdempotencyStore,
  type IdempotentRequest,
  type IdempotentWork,
  type Log,
  repeatInBackground,
  type Scoped,
  type UnvalidatedResponse,
} from '@specwright/server';
import { AccountError } from '../errors.ts';
import type { Caller } from '../keys/find-caller.ts';
import { hasScopes } from '../keys/key-owner.ts';
import { read, transaction } from '../store.ts';

const RETENTION = '24 hours';
/** How often rows that have expired are removed, and how many by one statement. */
const CLEANUP_INTERVAL_MS = 60_000;
const MAX_CLEANUP_ROWS = 1000;
const MAX_WAIT_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';
/** Of requests without credentials. No account has it. */
const NO_ACCOUNT = 0;

// Waits for a transaction that has inserted the same row. A row that has expired is as one that is not there; Citus takes only
// immutable functions in this WHERE, so the time of the transaction comes from the row.
const ACQUIRE = `
  INSERT INTO idempotency_keys (account_id, id, fingerprint, created_at, expires_at)
  VALUES (?, ?, ?, now(), now() + interval '${RETENTION}')
  ON CONFLICT (account_id, id) DO UPDATE
    SET fingerprint = excluded.fingerprint, response = NULL, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE idempotency_keys.expires_at <= excluded.created_at
  RETURNING account_id`;

// The first condition is checked again for a row that another transaction has taken over meanwhile. Citus runs no FOR UPDATE
// over all shards.
const CLEANUP = `
  DELETE FROM idempotency_keys
   WHERE expires_at <= now() AND (account_id, id) IN (
     SELECT account_id, id FROM idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT ${MAX_CLEANUP_ROWS})`;

const READ = 'SELECT fingerprint, response FROM idempotency_keys WHERE account_id = ? AND id = ?';
const STORE = 'UPDATE idempotency_keys SET response = ? WHERE account_id = ? AND id = ?';

export interface IdempotencyStoreOptions {
  /** Gets a line when rows that have expired could not be removed. */
  readonly log?: Pick<Log, 'warn'>;
  /** `false` for a process that is frozen between requests: others remove what has expired. */
  readonly background?: boolean;
}

export interface PostgresIdempotencyStore extends IdempotencyStore<Transaction, Caller> {
  /** Removes responses that are older than 24 hours. It runs about every minute. @returns how many. */
  readonly removeExpired: () => Promise<number>;
  /** Ends the removals. Call it before the pool is closed. */
  readonly close: () => void;
}

interface Row {
  readonly fingerprint: Buffer;
  readonly response: Buffer;
}

/**
 * Opens the store. A handler gets its transaction as `context.db`; the transactions of the handler become savepoints.
 */
export function openIdempotencyStore(db: Database, { log, background = true }: IdempotencyStoreOptions = {}): PostgresIdempotencyStore {
  const takeTurn = createTurns();

  const runOnce = (
    accountId: number,
    scopes: Scoped['scopes'],
    { id, mac, seal, open }: IdempotencySecrets,
    fingerprint: Buffer,
    given: IdempotentWork<Transaction>,
  ) =>
    transaction(
      db,
      async (trx, work) => {
        const acquired = await trx.raw<{ rows: object[] }>(ACQUIRE, [accountId, id, mac(fingerprint)]).catch(refuseInUse);
        if (acquired.rows.length > 0) {
          const response = await work(trx);
          await trx.raw(STORE, [seal(serialize(response, scopes)), accountId, id]);
          return { response, isReplay: false };
        }
        // ACQUIRE has locked it, so it is there.
        const [row] = (await trx.raw<{ rows: [Row] }>(READ, [accountId, id])).rows;
        if (!row.fingerprint.equals(mac(fingerprint)))
          throw new AccountError('idempotency_key_reused', 'header/Idempotency-Key was used for another request: use a new one');
        const stored = deserialize(open(row.response));
        // The response may have a key with the scopes of the first caller.
        if (!hasScopes(scopes, stored.scopes))
          throw new AccountError(
            'idempotency_key_reused',
            'header/Idempotency-Key was used with scopes that this API key lacks: retry with the API key of the first request, or use a new one',
          );
        return { response: stored.response, isReplay: true };
      },
      { given, once: () => given.isBegun?.() === true },
    );

  async function removeExpired(): Promise<number> {
    let removed = 0;
    for (let rows = MAX_CLEANUP_ROWS; rows === MAX_CLEANUP_ROWS; removed += rows) {
      ({ rowCount: rows } = await read(db.raw<{ rowCount: number }>(CLEANUP)));
    }
    return removed;
  }

  // What fails is done a minute later.
  const clean = () => removeExpired().catch((err: unknown) => log?.warn({ err }, 'expired idempotency keys could not be removed'));
  const endCleaning = background ? repeatInBackground(clean, CLEANUP_INTERVAL_MS) : undefined;

  return {
    async run(request: IdempotentRequest<Caller>, work) {
      const { caller, key, fingerprint } = request;
      const accountId = caller?.accountId ?? NO_ACCOUNT;
      const secrets = deriveSecrets(key, caller === undefined ? request.address : `account:${accountId}`);
      return takeTurn(`${accountId} ${secrets.id.toString('base64')}`, () =>
        runOnce(accountId, caller?.scopes ?? ALL_SCOPES, secrets, fingerprint, work),
      );
    },
    removeExpired,
    close: () => endCleaning?.(),
  };
}

/** Another transaction has the row of the key for too long. @throws the error otherwise. */
function refuseInUse(error: unknown): never {
  throw (error as { readonly code?: string }).code === LOCK_NOT_AVAILABLE ? inUse(error) : error;
}

const inUse = (cause?: unknown) =>
  new AccountError('idempotency_key_in_use', 'another request with this header/Idempotency-Key is under way: retry with the same key', {
    cause,
    headers: { 'Retry-After': '1' },
  });

/**
 * Requests of this process with the same key run one at a time. Those that wait hold no connection, so that a storm of
 * retries uses one; between processes the row is waited for.
 */
function createTurns(): <T>(id: string, run: () => Promise<T>) => Promise<T> {
  const current = new Map<string, Promise<void>>();
  return async (id, run) => {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (let other = current.get(id); other !== undefined; other = current.get(id))
      await inTime(other, deadline - performance.now(), inUse);
    const turn = run();
    const end = () => void current.delete(id);
    current.set(id, turn.then(end, end));
    return turn;
  };
}

interface StoredResponse {
  readonly response: UnvalidatedResponse;
  /** Of the caller of the first request. */
  readonly scopes: Scoped['scopes'];
}

/** Bytes and `bigint`, which JSON lacks, are marked. */
function serialize({ status, headers, type, body }: UnvalidatedResponse, granted: Scoped['scopes']): string {
  const scopes = granted === ALL_SCOPES ? undefined : granted;
  if (Buffer.isBuffer(body)) return JSON.stringify({ status, headers, type, scopes, bytes: body.toString('base64') });
  const stored = { status, headers, type, body, scopes };
  try {
    return JSON.stringify(stored);
  } catch (error) {
    // Of a `bigint`, or of a circle, which is thrown again.
    if (!(error instanceof TypeError)) throw error;
  }
  // No body has it: it is made after the body.
  const marker = randomUUID();
  const text = JSON.stringify(stored, (_, part: unknown) => (typeof part === 'bigint' ? `${marker}${part}` : part));
  return JSON.stringify({ marker, text });
}

function deserialize(stored: string): StoredResponse {
  type Parsed = UnvalidatedResponse & { readonly scopes?: readonly string[] };
  const {
    bytes,
    marker = '',
    text,
    ...parsed
  } = JSON.parse(stored) as Parsed & {
    readonly [name in 'bytes' | 'marker' | 'text']?: string;
  };
  const unmark = (_: string, part: unknown) =>
    typeof part === 'string' && part.startsWith(marker) ? BigInt(part.slice(marker.length)) : part;
  const { scopes = ALL_SCOPES, ...response } = text === undefined ? parsed : (JSON.parse(text, unmark) as Parsed);
  return { response: bytes === undefined ? response : { ...response, body: Buffer.from(bytes, 'base64') }, scopes };
}

/** What is made from an `Idempotency-Key`: the id of its row, and the secrets that protect what the row says. */
const ID_BYTES = 32;
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface IdempotencySecrets {
  /** The same for the same key in the same scope. The key cannot be computed from it. */
  readonly id: Buffer;
  /** The fingerprint of a request, so that its content cannot be guessed and compared without the key. */
  readonly mac: (fingerprint: Buffer) => Buffer;
  /** AES-256-GCM, bound to the id. */
  readonly seal: (text: string) => Buffer;
  /** @throws Error if it was not sealed with this key in this scope. */
  readonly open: (sealed: Buffer) => string;
}

/**
 * Derives everything from the key by HKDF (RFC 5869), so the database, which never has the key, cannot be used to read a
 * response. That is as strong as the key is hard to guess: a UUID is enough.
 *
 * @param scope the account or the address: two that use the same key have nothing in common.
 */
export function deriveSecrets(key: string, scope: string): IdempotencySecrets {
  const bytes = Buffer.from(hkdfSync('sha256', key, scope, 'specwright idempotency key', ID_BYTES + 2 * SECRET_BYTES));
  const id = bytes.subarray(0, ID_BYTES);
  const macSecret = bytes.subarray(ID_BYTES, ID_BYTES + SECRET_BYTES);
  const sealSecret = bytes.subarray(ID_BYTES + SECRET_BYTES);
  return {
    id,
    mac: (fingerprint) => createHmac('sha256', macSecret).update(fingerprint).digest(),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealSecret, nonce, { authTagLength: TAG_BYTES }).setAAD(id);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealSecret, nonce, { authTagLength: TAG_BYTES }).setAAD(id).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}
