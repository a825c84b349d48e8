/**
 * Whether a connection that listens receives notifications of other sessions, tested by notifications on a separate channel. Behind a pooler in
 * transaction mode LISTEN succeeds and nothing ever arrives; a network may also go silent later, without an error.
 */
import { randomBytes } from 'node:crypto';
import type { Database } from './connect.ts';

/** How long the first notification may take, in ms. */
const FIRST_TIMEOUT_MS = 2000;
/** How often another one is sent after that, in ms, and how many may be under way before the connection is given up. */
const TEST_INTERVAL_MS = 5000;
const MAX_UNANSWERED = 2;

export interface NotificationTest {
  /** The connection has to listen to it too. */
  readonly channel: string;
  /** To be called for each notification on `channel`. */
  readonly onReceived: () => void;
  /** Sends the first one. @throws Error if it is not received in time. */
  readonly confirm: () => Promise<void>;
  /** Sends one now and then. @param onSilence called once, when none has been received for a while. */
  readonly watch: (onSilence: (error: Error) => void) => void;
  readonly stop: () => void;
}

/**
 * @param db sends the notifications: another connection than the one that listens, as a pooler would pass on what a connection
 *   sends to itself. @param tested the channel whose connection is tested. @param intervalMs see `TEST_INTERVAL_MS`.
 */
export function createNotificationTest(db: Database, tested: string, intervalMs: number = TEST_INTERVAL_MS): NotificationTest {
  const channel = `${tested}_test_${randomBytes(8).toString('hex')}`;
  const send = () => db.raw('SELECT pg_notify(?, ?)', [channel, '']);
  let onReceived: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;

  return {
    channel,
    onReceived: () => onReceived(),
    async confirm() {
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
    watch(onSilence) {
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
