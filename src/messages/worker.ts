/** Takes messages from the queue and delivers them: retries with ever longer delays, and gives up after so many attempts. Deletes old ones. */
import type { Database } from '@specwright/postgres';
import { cleanQueue, connectBeside, deliver, startWorker, type Delivery, type ResolveHost, type WebhookRules } from '@specwright/webhooks';
import { DELIVERY, deleteEndedMessages, endMessage, findQueued, REDELIVERY, retryMessage, type DeliveryJob } from '../db/messages.ts';
import { findDeliveryTarget, recordFailure, recordSuccess, type DeliveryTarget } from '../db/webhooks.ts';

/** What the worker needs of a logger; pino has it. */
export interface WorkerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface WorkerOptions extends WebhookRules {
  readonly db: Database;
  readonly log: WorkerLog;
  /** How long a delivery may take, in ms. */
  readonly timeout: number;
  /** How long deliveries under way may take to end when the worker is stopped, in ms. */
  readonly stopTimeout: number;
  /** How often a message is tried before it is `failed`. */
  readonly maxAttempts?: number;
  /** The delay after the first failed attempt, in ms. Each further one is twice as long. */
  readonly retryDelay?: number;
  /** How often to look for messages whose time has come, in ms. */
  readonly pollInterval?: number;
  /** How many deliveries at once: first ones, and those that follow a failure. Of an account there is one at a time. */
  readonly concurrency?: { readonly first: number; readonly retries: number };
  /** After how many failures in a row a webhook is paused, and for how long, in ms. */
  readonly breaker?: { readonly threshold: number; readonly pause: number };
  /** How long messages that have ended are kept, in days. */
  readonly retentionDays: number;
  readonly resolveHost?: ResolveHost;
}

export interface Worker {
  /** Begins, if it has not begun. */
  start(): void;
  /** Takes no further message and waits for those under way. One that cannot end in time is delivered again later. */
  stop(): Promise<void>;
}

const CONNECTIONS = 4;
const CLEANING_INTERVAL_MS = 3_600_000;
/** What a job takes beside the delivery itself, in ms, at the very most: a few statements, each on a connection that was waited for. */
const LEASE_MARGIN_MS = 5000;
const MAX_RETRY_DELAY_MS = 3_600_000;

/** The delay after so many failed attempts, in ms: twice as long each time, less up to half of it at random. */
export const retryDelayAfter = (failed: number, first: number): number =>
  Math.min(first * 2 ** (failed - 1), MAX_RETRY_DELAY_MS) * (1 - Math.random() / 2);

/** The worker of one process. Nothing connects before it is started. */
export function createWorker(options: WorkerOptions): Worker {
  const {
    log,
    timeout,
    stopTimeout,
    maxAttempts = 10,
    retryDelay = 5000,
    pollInterval = 2000,
    concurrency = { first: 50, retries: 10 },
    breaker = { threshold: 5, pause: 60_000 },
    retentionDays,
    resolveHost,
    allowPrivate = false,
  } = options;
  let end: (() => Promise<void>) | undefined;
  let stopped = false;

  /** @returns why it has failed, or `undefined`. */
  async function tryDelivery(db: Database, accountId: number, target: DeliveryTarget, message: Delivery, signal: AbortSignal) {
    if (target.isPaused) return 'its webhook is paused: too many deliveries in a row have failed';
    const failure = await deliver(target, message, { timeout, signal, allowPrivate, ...(resolveHost && { resolveHost }) });
    // Not the receiver's doing, so it does not count as an attempt: the queue hands the message out again.
    if (failure !== undefined && signal.aborted) throw new Error('the worker is being stopped');
    if (failure !== undefined) await recordFailure(db, accountId, target, breaker);
    else if (target.failures > 0) await recordSuccess(db, accountId, target);
    return failure;
  }

  async function handle(
    db: Database,
    task: string,
    { accountId, messageId, traceparent }: DeliveryJob,
    signal: AbortSignal,
  ): Promise<void> {
    const queued = await findQueued(db, accountId, messageId);
    if (queued === undefined) return;
    const target = await findDeliveryTarget(db, accountId);
    if (target === undefined) return endMessage(db, accountId, messageId, { status: 'sent', attempts: queued.attempts });
    // A receiver that has just failed may be silent again for the whole of the timeout: it waits among its like.
    if (task === DELIVERY && target.failures > 0)
      return retryMessage(db, accountId, messageId, { attempts: queued.attempts, delay: 0, traceparent });
    const failure = await tryDelivery(db, accountId, target, { ...queued, traceparent }, signal);
    if (failure === undefined) return endMessage(db, accountId, messageId, { status: 'sent', attempts: queued.attempts });

    const attempts = queued.attempts + 1;
    log.warn({ accountId, messageId, attempts, failure }, 'a message could not be delivered');
    if (attempts >= maxAttempts) return endMessage(db, accountId, messageId, { status: 'failed', attempts });
    return retryMessage(db, accountId, messageId, { attempts, delay: retryDelayAfter(attempts, retryDelay), traceparent });
  }

  async function clean(db: Database): Promise<void> {
    try {
      await deleteEndedMessages(db, retentionDays);
      await cleanQueue(db);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'old messages could not be deleted');
    }
  }

  return {
    start() {
      if (end !== undefined || stopped) return;
      const db = connectBeside(options.db, CONNECTIONS);
      const lane = (task: string, concurrency: number) =>
        startWorker(db, {
          task,
          handle: (payload, signal) => handle(db, task, payload as DeliveryJob, signal),
          lease: timeout + LEASE_MARGIN_MS,
          concurrency,
          pollInterval,
          stopTimeout,
          onProblem: (problem) => log.warn({ problem }, 'the queue has a problem'),
        });
      const lanes = [lane(DELIVERY, concurrency.first), lane(REDELIVERY, concurrency.retries)];
      let cleaning = clean(db);
      const timer = setInterval(() => (cleaning = clean(db)), CLEANING_INTERVAL_MS);
      end = async () => {
        clearInterval(timer);
        await Promise.all([cleaning, ...lanes.map((stop) => stop())]);
        await db.destroy();
      };
      log.info({}, 'the worker has started');
    },
    async stop() {
      stopped = true;
      await end?.();
    },
  };
}
