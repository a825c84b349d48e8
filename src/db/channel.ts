/** The channel on which servers tell each other that what they know of an account's keys is no longer so. */
import type { EventEmitter } from 'node:events';
import type { Knex } from 'knex';
import type { Database, Transaction } from './connect.ts';

const CHANNEL = 'petstore_keys';

/** How long to wait before the channel is opened again, in ms: doubled from the first to the last while it fails. */
const FIRST_WAIT = 100;
const LAST_WAIT = 5000;

/** Tells every server, once the transaction commits and only then, that keys or plan of an account have changed. */
export async function announceChange(trx: Transaction, accountId: number): Promise<void> {
  await trx.raw('SELECT pg_notify(?, ?)', [CHANNEL, String(accountId)]);
}

export interface ChannelEvents {
  /** An account has changed. */
  readonly onChange: (accountId: number) => void;
  /** From now on every change is told. Those before may have been missed. */
  readonly onOpen: () => void;
  /** Changes are missed until `onOpen`. Told once, not at each attempt. @param error why, if it is known. */
  readonly onLost: (error: unknown) => void;
}

export interface Channel {
  /** Closes the connection and opens no other. */
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, outside the pool, and opens another whenever that one is lost. Returns at once:
 * a database that is not there yet is waited for.
 */
export function openChannel(db: Database, { onChange, onOpen, onLost }: ChannelEvents): Channel {
  const client = db.client as Knex.Client;
  let connection: EventEmitter | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wait = FIRST_WAIT;
  let isClosed = false;
  let wasTold = false;

  async function open(): Promise<void> {
    let opened: EventEmitter | undefined;
    try {
      opened = (await client.acquireRawConnection()) as EventEmitter;
      const current = opened;
      // An error comes before the end, or instead of it.
      for (const event of ['error', 'end']) current.on(event, (error: unknown) => lost(current, error));
      current.on('notification', ({ payload }: { payload?: string }) => onChange(Number(payload)));
      connection = current;
      await db.raw(`LISTEN ${CHANNEL}`).connection(current);
      if (isClosed) return void discard(current);
      if (connection !== current) return;
      wait = FIRST_WAIT;
      wasTold = false;
      onOpen();
    } catch (error) {
      lost(opened, error);
    }
  }

  function lost(which: EventEmitter | undefined, error: unknown): void {
    if (connection !== which) return;
    connection = undefined;
    if (which !== undefined) void discard(which);
    if (isClosed) return;
    if (!wasTold) onLost(error);
    wasTold = true;
    clearTimeout(timer);
    // Jitter, so that not all servers come back in the same moment.
    timer = setTimeout(() => void open(), wait * (0.5 + Math.random() / 2)).unref();
    wait = Math.min(wait * 2, LAST_WAIT);
  }

  const discard = async (which: EventEmitter) => {
    try {
      await client.destroyRawConnection(which);
    } catch {
      // It was lost: there is nobody to say goodbye to.
    }
  };

  void open();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // One that is only being opened is closed once it is: a database that does not answer holds nobody up.
      if (connection !== undefined) await discard(connection);
    },
  };
}
