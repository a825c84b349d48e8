/** Takes messages from the queue and delivers them: retries with ever longer delays, and gives up after so many attempts. */
import type { Database } from '@specwright/postgres';
import { DELIVERY, endMessage, findQueued, retryMessage, type DeliveryJob } from '../db/messages.ts';
import { connectBeside, startWorker } from '../db/queue.ts';
import { findDeliveryTarget } from '../db/webhooks.ts';
import { deliver, type ResolveHost } from './deliver.ts';
import type { WebhookRules } from './webhook-url.ts';

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
  readonly resolveHost?: ResolveHost;
}

export interface Worker {
  /** Begins, if it has not begun. */
  start(): void;
  /** Takes no further message and waits for those under way. One that cannot end in time is delivered again later. */
  stop(): Promise<void>;
}

const CONCURRENCY = 5;
const CONNECTIONS = 2;
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
    resolveHost,
    allowPrivate = false,
  } = options;
  let end: (() => Promise<void>) | undefined;
  let stopped = false;

  async function handle(db: Database, { accountId, messageId }: DeliveryJob, signal: AbortSignal): Promise<void> {
    const queued = await findQueued(db, accountId, messageId);
    if (queued === undefined) return;
    const target = await findDeliveryTarget(db, accountId);
    if (target === undefined) return endMessage(db, accountId, messageId, { status: 'sent', attempts: queued.attempts });
    const failure = await deliver(target, queued, { timeout, signal, allowPrivate, ...(resolveHost && { resolveHost }) });
    if (failure === undefined) return endMessage(db, accountId, messageId, { status: 'sent', attempts: queued.attempts });
    // Not the receiver's doing, so it does not count as an attempt: the queue hands the message out again.
    if (signal.aborted) throw new Error('the worker is being stopped');

    const attempts = queued.attempts + 1;
    log.warn({ accountId, messageId, attempts, failure }, 'a message could not be delivered');
    if (attempts >= maxAttempts) return endMessage(db, accountId, messageId, { status: 'failed', attempts });
    return retryMessage(db, accountId, messageId, { attempts, delay: retryDelayAfter(attempts, retryDelay) });
  }

  return {
    start() {
      if (end !== undefined || stopped) return;
      const db = connectBeside(options.db, CONNECTIONS);
      const stop = startWorker(db, {
        task: DELIVERY,
        handle: (payload, signal) => handle(db, payload as DeliveryJob, signal),
        lease: timeout + LEASE_MARGIN_MS,
        concurrency: CONCURRENCY,
        pollInterval,
        stopTimeout,
        onProblem: (problem) => log.warn({ problem }, 'the queue has a problem'),
      });
      end = async () => {
        await stop();
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
