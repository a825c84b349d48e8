/** Takes messages from the queue and delivers them: tries again with ever longer pauses, and gives up after so many. */
import type { Database } from '@specwright/postgres';
import { DELIVERY, endMessage, findQueued, retryMessage, type DeliveryJob } from '../db/messages.ts';
import { connectAlso, work } from '../db/queue.ts';
import type { WebhookRules } from './webhook-url.ts';
import { findDeliveryTarget } from '../db/webhooks.ts';
import { deliver, type Resolve } from './deliver.ts';

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
  /** How many tries a message has. */
  readonly tries?: number;
  /** The pause after the first try that failed, in ms. Each further one is twice as long. */
  readonly pause?: number;
  /** As in `WorkOptions`. */
  readonly pollInterval?: number;
  readonly resolve?: Resolve;
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
const MARGIN = 5000;
const LONGEST_PAUSE = 3_600_000;

/** The pause after so many tries that failed, in ms: twice as long each time, less up to half of it at random. */
export const pauseAfter = (failed: number, first: number): number =>
  Math.min(first * 2 ** (failed - 1), LONGEST_PAUSE) * (1 - Math.random() / 2);

/** The worker of one process. Nothing connects before it is started. */
export function createWorker(options: WorkerOptions): Worker {
  const { log, timeout, stopTimeout, tries = 10, pause = 5000, pollInterval = 2000, resolve, allowPrivate = false } = options;
  let end: (() => Promise<void>) | undefined;
  let stopped = false;

  async function handle(db: Database, { accountId, messageId }: DeliveryJob, signal: AbortSignal): Promise<void> {
    const queued = await findQueued(db, accountId, messageId);
    if (queued === undefined) return;
    const target = await findDeliveryTarget(db, accountId);
    if (target === undefined) return endMessage(db, accountId, messageId, { status: 'sent', attempts: queued.attempts });
    const failure = await deliver(target, queued.record, { timeout, signal, allowPrivate, ...(resolve === undefined ? {} : { resolve }) });
    if (failure === undefined) return endMessage(db, accountId, messageId, { status: 'sent', attempts: queued.attempts });
    // Not the receiver's doing, so it is no try: the queue hands the message out again.
    if (signal.aborted) throw new Error('the worker is being stopped');

    const attempts = queued.attempts + 1;
    log.warn({ accountId, messageId, attempts, failure }, 'a message could not be delivered');
    if (attempts >= tries) return endMessage(db, accountId, messageId, { status: 'failed', attempts });
    return retryMessage(db, accountId, messageId, { attempts, delay: pauseAfter(attempts, pause) });
  }

  return {
    start() {
      if (end !== undefined || stopped) return;
      const db = connectAlso(options.db, CONNECTIONS);
      const stop = work(db, {
        task: DELIVERY,
        handle: (payload, signal) => handle(db, payload as DeliveryJob, signal),
        lease: timeout + MARGIN,
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
