/** Receives the notifications of a channel (LISTEN) on a separate connection, which is opened again when it is lost. */
import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { inBackground, onPause } from '@specwright/contract/runtime';
import { type Database, directClient } from './connect.ts';

/** How long to wait before a lost connection is opened again, in ms: doubled with each failure. */
const MIN_RECONNECT_DELAY_MS = 100;
const MAX_RECONNECT_DELAY_MS = 5000;

export interface NotificationSession {
  /** Whether it has neither been lost nor closed. */
  readonly isOpen: () => boolean;
  readonly run: (sql: string, bindings?: readonly unknown[]) => Promise<unknown>;
  /** Closes it, and has another one opened. */
  readonly giveUp: (error: unknown) => void;
}

export interface NotificationEvents {
  /** A notification has come. It may come before `onListening`. */
  readonly onNotification: (payload: string, session: NotificationSession) => void;
  /** The connection listens: from now on nothing is missed, if notifications arrive. */
  readonly onOpen?: () => void;
  /** A test notification has arrived. If it throws, the connection is given up. */
  readonly onListening: (session: NotificationSession) => void | Promise<void>;
  /**
   * The process was paused, and the connection may have been lost meanwhile. It is tested; if this throws, or a statement on the session
   * fails, it is given up.
   */
  readonly onPaused?: (session: NotificationSession) => void | Promise<void>;
  /** The connection is lost, or could not be opened: what is sent until `onOpen` is missed. @param isFirst of several in a row. */
  readonly onLost: (error: unknown, isFirst: boolean) => void;
}

export interface NotificationChannel {
  /** Closes the connection and opens no other. */
  readonly close: () => Promise<void>;
}

/**
 * Listens to a channel. The connection is believed once a test notification has been received, and lost when they stop: behind a pooler in
 * transaction mode LISTEN succeeds and nothing arrives. Returns at once: a database that does not answer yet is tried again.
 *
 * @param name of the channel, an SQL identifier. @param testIntervalMs how often a test notification is sent, in ms; 5000 if it is not given.
 */
export const openNotificationChannel = (
  db: Database,
  name: string,
  events: NotificationEvents,
  testIntervalMs?: number,
): NotificationChannel => new ReconnectingChannel(db, name, events, testIntervalMs);

class ReconnectingChannel implements NotificationChannel {
  readonly #db: Database;
  readonly #name: string;
  readonly #events: NotificationEvents;
  readonly #client: ReturnType<typeof directClient>;
  /** One for all connections: those that a pooler keeps for other clients go on listening. */
  readonly #test: ReturnType<typeof createNotificationTest>;
  readonly #endPauses: () => void;
  #connection: EventEmitter | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #reconnectDelay = MIN_RECONNECT_DELAY_MS;
  #isClosed = false;
  #isLossReported = false;

  constructor(db: Database, name: string, events: NotificationEvents, testIntervalMs: number | undefined) {
    this.#db = db;
    this.#name = name;
    this.#events = events;
    this.#client = directClient(db);
    this.#test = createNotificationTest(db, name, testIntervalMs);
    this.#endPauses = onPause(() => this.#connection && inBackground(this.#testAfterPause(this.#sessionOf(this.#connection))));
    inBackground(this.#open());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#endPauses();
    this.#test.stop();
    // A connection that is still being opened is closed once it is open: a database that does not answer delays nothing.
    const last = this.#connection;
    this.#connection = undefined;
    if (last !== undefined) await this.#discard(last);
  }

  async #open(): Promise<void> {
    let opened: EventEmitter | undefined;
    try {
      opened = (await this.#client.acquireRawConnection()) as EventEmitter;
      await this.#listen(opened);
    } catch (error) {
      this.#handleLoss(opened, error);
    }
  }

  async #listen(current: EventEmitter): Promise<void> {
    const test = this.#test;
    const session = this.#sessionOf(current);
    this.#connection = current;
    // An error comes before the end, or instead of it.
    for (const event of ['error', 'end']) current.on(event, (error: unknown) => this.#handleLoss(current, error));
    current.on('notification', ({ channel, payload = '' }: { channel: string; payload?: string }) => {
      if (!session.isOpen()) return;
      if (channel === this.#name) this.#events.onNotification(payload, session);
      else test.onReceived();
    });
    await session.run(`LISTEN ${this.#name}; LISTEN ${test.channel}`);
    if (this.#isClosed) return this.#discard(current);
    this.#events.onOpen?.();
    await test.confirm();
    await this.#events.onListening(session);
    if (!session.isOpen()) return;
    test.watch((error) => this.#handleLoss(current, error));
    this.#reconnectDelay = MIN_RECONNECT_DELAY_MS;
    this.#isLossReported = false;
  }

  /** What was sent before a pause of the process is answered before this is. */
  async #testAfterPause(session: NotificationSession): Promise<void> {
    try {
      await Promise.all([session.run('SELECT 1'), this.#events.onPaused?.(session)]);
    } catch (error) {
      session.giveUp(error);
    }
  }

  #sessionOf(current: EventEmitter): NotificationSession {
    return {
      isOpen: () => this.#connection === current,
      run: (sql, bindings = []) => Promise.resolve(this.#db.raw(sql, bindings as never).connection(current)),
      giveUp: (error) => this.#handleLoss(current, error),
    };
  }

  #handleLoss(lost: EventEmitter | undefined, error: unknown): void {
    if (this.#connection !== lost) return;
    this.#connection = undefined;
    this.#test.stop();
    if (lost !== undefined) inBackground(this.#discard(lost));
    if (this.#isClosed) return;
    this.#events.onLost(error, !this.#isLossReported);
    this.#isLossReported = true;
    clearTimeout(this.#timer);
    // Jitter, so that not all servers reconnect at the same moment.
    this.#timer = setTimeout(() => inBackground(this.#open()), this.#reconnectDelay * (0.5 + Math.random() / 2)).unref();
    this.#reconnectDelay = Math.min(this.#reconnectDelay * 2, MAX_RECONNECT_DELAY_MS);
  }

  async #discard(lost: EventEmitter): Promise<void> {
    try {
      await this.#client.destroyRawConnection(lost);
    } catch {
      // It was lost already.
    }
  }
}

/** How long the first notification may take, in ms. */
const FIRST_TIMEOUT_MS = 2000;
/** How often another one is sent after that, in ms, and how many may be under way before the connection is given up. */
const TEST_INTERVAL_MS = 5000;
const MAX_UNANSWERED = 2;

/**
 * @param db sends the notifications: another connection than the one that listens, as a pooler would pass on what a connection
 *   sends to itself. @param tested the channel whose connection is tested. @param intervalMs see `TEST_INTERVAL_MS`.
 */
function createNotificationTest(db: Database, tested: string, intervalMs: number = TEST_INTERVAL_MS) {
  const channel = `${tested}_test_${randomBytes(8).toString('hex')}`;
  const send = () => db.raw('SELECT pg_notify(?, ?)', [channel, '']);
  let onReceived: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;

  return {
    /** The connection has to listen to it too. */
    channel,
    /** To be called for each notification on `channel`. */
    onReceived: () => onReceived(),
    /** Sends the first one. @throws Error if it is not received in time. */
    async confirm(): Promise<void> {
      const received = new Promise<void>((resolve, reject) => {
        onReceived = resolve;
        const fail = () =>
          reject(new Error('notifications do not arrive after LISTEN: behind a pooler in transaction mode set DATABASE_DIRECT_URL'));
        timer = setTimeout(fail, FIRST_TIMEOUT_MS).unref();
      });
      try {
        await Promise.all([received, send()]);
      } finally {
        clearTimeout(timer);
      }
    },
    /** Sends one now and then. @param onSilence called once, when none has been received for a while. */
    watch(onSilence: (error: Error) => void): void {
      let unanswered = 0;
      onReceived = () => (unanswered = 0);
      timer = setInterval(() => {
        if (unanswered < MAX_UNANSWERED) {
          unanswered++;
          // One that could not be sent is not received.
          void send().catch(() => undefined);
        } else {
          clearInterval(timer);
          onSilence(new Error(`no notification has arrived for ${(MAX_UNANSWERED * intervalMs) / 1000} s`));
        }
      }, intervalMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
