/** Who calls, looked up for every request: from a short memory where that is safe, and the last use of keys written behind it. */
import type { Database } from '@specwright/postgres';
import type { Log } from '@specwright/server';
import { openChannel } from './invalidation-channel.ts';
import { hashOf, isWellFormed, findKey, type FoundKey, type KeyHolder } from './key-format.ts';

/**
 * How long a look-up that found a caller is remembered, in ms. It bounds how long a key works on after it was revoked if
 * the channel is lost and nobody has noticed yet, as when a network goes silent.
 */
const MEMORY = 5000;
/** How many keys are remembered, the oldest being forgotten first. */
const MAX_REMEMBERED = 10_000;
/** How long uses are collected before they are written, in ms. */
const WRITE_AFTER = 1000;

export interface CallersOptions {
  /** Told when changes are heard, when they are not any more, and when the last use of keys could not be written. */
  readonly log?: Pick<Log, 'info' | 'warn'>;
  readonly memory?: number;
  readonly mostRemembered?: number;
  readonly writeAfter?: number;
}

export interface Callers {
  /** As `findCaller` of db/keys.ts. */
  find(key: string): Promise<KeyHolder | undefined>;
  /** Writes what is to be written, and hangs up. Call it before the pool is closed. */
  close(): Promise<void>;
}

/**
 * Starts to listen for changes of accounts and their keys, which any server and the command line announce.
 *
 * Only good keys are remembered, only while the channel stands, and until any change is heard: whoever makes one waits for
 * that, so a revoked key is refused on the next request. While the channel is known to be lost every look-up asks the
 * database.
 */
export function startCallers(db: Database, options: CallersOptions = {}): Callers {
  const { log, memory = MEMORY, mostRemembered = MAX_REMEMBERED, writeAfter = WRITE_AFTER } = options;
  // By hash, so that no key stays in memory for longer than its request.
  const remembered = new Map<string, { holder: KeyHolder; until: number }>();
  const used = new Map<number, number>();
  let isBelieving = false;
  // A look-up that began before a change was heard may have found what was so before it.
  let doubts = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const channel = openChannel(db, {
    onDoubt() {
      isBelieving = false;
      doubts++;
      remembered.clear();
    },
    onBelief: () => void (isBelieving = true),
    onListening: (isListening, err) =>
      isListening
        ? log?.info({}, 'listening for changes of keys')
        : log?.warn({ err }, 'changes of keys are not heard: every key is looked up'),
  });

  function remember(hash: string, { holder, endsIn }: FoundKey): void {
    remembered.delete(hash);
    remembered.set(hash, { holder, until: performance.now() + Math.min(memory, endsIn) });
    if (remembered.size > mostRemembered) for (const oldest of remembered.keys()) return void remembered.delete(oldest);
  }

  async function write(): Promise<void> {
    const keys = [...used];
    used.clear();
    if (keys.length > 0) await writeUses(db, keys).catch((err: unknown) => log?.warn({ err }, 'the last use of keys could not be written'));
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = write();
    }, writeAfter).unref();
  }

  return {
    async find(key) {
      if (!isWellFormed(key)) return undefined;
      const hash = hashOf(key).toString('base64');
      const known = remembered.get(hash);
      if (known !== undefined && known.until > performance.now()) return known.holder;
      const before = doubts;
      const asked = performance.now();
      const found = await findKey(db, key);
      if (found === undefined) return undefined;
      if (!found.isUseKnown) {
        used.set(found.holder.keyId, found.holder.accountId);
        writeSoon();
      }
      // What was left of its life is counted from the question on: the answer may have taken long.
      if (isBelieving && doubts === before) remember(hash, { ...found, endsIn: found.endsIn - (performance.now() - asked) });
      return found.holder;
    },
    async close() {
      clearTimeout(timer);
      await channel.close();
      await writing;
      await write();
    },
  };
}

/**
 * Writes that keys are used now, at most once a minute for each, however many servers see it used. A key that is being
 * changed is left out: waiting for it is not worth it.
 */
async function writeUses(db: Database, keys: readonly (readonly [keyId: number, accountId: number])[]): Promise<void> {
  await db.raw(
    `WITH used AS (
       SELECT k.account_id, k.id
         FROM api_keys k JOIN unnest(?::bigint[], ?::bigint[]) AS u(account_id, id) ON (k.account_id, k.id) = (u.account_id, u.id)
        WHERE k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute'
          FOR UPDATE OF k SKIP LOCKED
     )
     UPDATE api_keys k SET last_used_at = now(), version = version + 1
       FROM used WHERE (k.account_id, k.id) = (used.account_id, used.id)`,
    [keys.map(([, accountId]) => accountId), keys.map(([keyId]) => keyId)],
  );
}
