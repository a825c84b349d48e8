/** Takes deliveries from the queue and makes them: retries with ever longer delays, and gives up after so many attempts. Deletes old ones. */
import type { Database } from '@specwright/postgres';
import type { GeneratedOutgoing, Metric, OutgoingEntry } from '@specwright/server';
import { type DeliverOptions, type DeliveryOutcome, deliver } from './deliver.ts';
import { type DeliveryJob, type OnEnd, type QueuedDelivery, deleteEnded, endDelivery, findQueued, retryDelivery } from './deliveries.ts';
import { DELIVERY, REDELIVERY, cleanQueue, connectBeside, startQueueWorker } from './queue.ts';
import { type DeliveryTarget, findDeliveryTarget, recordFailure, recordSuccess } from './webhooks.ts';

/** What the worker needs of a logger; pino has it. */
export interface WorkerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Does a job of the queue. If it throws, the job is done again later. */
export type HandleTask = (db: Database, payload: unknown) => Promise<void>;

export interface WorkerOptions extends Omit<DeliverOptions, 'signal'> {
  readonly db: Database;
  readonly log: WorkerLog;
  /** How long deliveries under way may take to end when the worker is stopped, in ms. */
  readonly stopTimeout: number;
  /** `outgoing` of `generated/outgoing.ts`. Without it every delivery is a POST, and it is not known which statuses are declared. */
  readonly outgoing?: GeneratedOutgoing<object>;
  /** How often a delivery is tried before it is `failed`. */
  readonly maxAttempts?: number;
  /** The delay after the first failed attempt, in ms. Each further one is twice as long. */
  readonly retryDelay?: number;
  /** How often to look for deliveries whose time has come, in ms. */
  readonly pollInterval?: number;
  /** How many deliveries at once: first ones, and those that follow a failure. Of an account there is one at a time. */
  readonly concurrency?: { readonly first: number; readonly retries: number };
  /** After how many failures in a row a webhook is paused, and for how long, in ms. */
  readonly breaker?: { readonly threshold: number; readonly pause: number };
  /** How long deliveries that have ended are kept, in days. */
  readonly retentionDays: number;
  /** What the service does when a delivery has ended, in the transaction that ends it. */
  readonly onEnd?: OnEnd;
  /** What the service deletes beside old deliveries, every hour. */
  readonly clean?: (db: Database) => Promise<void>;
  /** Further tasks of the queue that the worker does, by their names. */
  readonly tasks?: Readonly<Record<string, HandleTask>>;
}

export interface Worker {
  /** Begins, if it has not begun. */
  start(): void;
  /** How many jobs it has freed: a source of metrics. */
  readonly metrics: () => Metric[];
  /** Takes no further delivery and waits for those under way. One that cannot end in time is made again later. */
  stop(): Promise<void>;
}

const CONNECTIONS = 4;
const CLEANING_INTERVAL_MS = 3_600_000;
/** What a job takes beside the delivery itself, in ms, at the very most: a few statements, each on a connection that was waited for. */
const LEASE_MARGIN_MS = 5000;
const MAX_RETRY_DELAY_MS = 3_600_000;
const PAUSED: DeliveryOutcome = { failure: 'its webhook is paused: too many deliveries in a row have failed' };

/** The delay after so many failed attempts, in ms: twice as long each time, less up to half of it at random. */
export const retryDelayAfter = (failed: number, first: number): number =>
  Math.min(first * 2 ** (failed - 1), MAX_RETRY_DELAY_MS) * (1 - Math.random() / 2);

/** The worker of one process. Nothing connects before it is started. */
export const createWorker = (options: WorkerOptions): Worker => new DeliveryWorker(options);

const DEFAULTS = {
  maxAttempts: 10,
  retryDelay: 5000,
  pollInterval: 2000,
  concurrency: { first: 50, retries: 10 },
  breaker: { threshold: 5, pause: 60_000 },
};

class DeliveryWorker implements Worker {
  readonly #options: WorkerOptions & typeof DEFAULTS;
  readonly #declared: DeclaredDeliveries;
  #end: (() => Promise<void>) | undefined = undefined;
  #isStopped = false;
  #freed = 0;

  constructor(options: WorkerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#declared = (options.outgoing?.table ?? {}) as DeclaredDeliveries;
  }

  start(): void {
    if (this.#end !== undefined || this.#isStopped) return;
    const { concurrency, log, tasks = {} } = this.#options;
    const db = connectBeside(this.#options.db, CONNECTIONS);
    const lanes = [this.#startLane(db, DELIVERY, concurrency.first, tasks), this.#startLane(db, REDELIVERY, concurrency.retries)];
    let cleaning = this.#clean(db);
    const timer = setInterval(() => (cleaning = this.#clean(db)), CLEANING_INTERVAL_MS);
    this.#end = async () => {
      clearInterval(timer);
      await Promise.all([cleaning, ...lanes.map((stop) => stop())]);
      await db.destroy();
    };
    log.info({}, 'the worker has started');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end?.();
  }

  readonly metrics = (): Metric[] => [
    {
      name: 'messages_queue_freed_total',
      help: 'Jobs that a worker which has ended had kept.',
      type: 'counter',
      values: [{ value: this.#freed }],
    },
  ];

  #startLane(db: Database, task: string, concurrency: number, others: Readonly<Record<string, HandleTask>> = {}) {
    const { timeout, pollInterval, stopTimeout, log } = this.#options;
    return startQueueWorker(db, {
      tasks: {
        ...Object.fromEntries(Object.entries(others).map(([name, work]) => [name, (payload: unknown) => work(db, payload)])),
        [task]: (payload, signal) => this.#handle(db, task, payload as DeliveryJob, signal),
      },
      lease: timeout + LEASE_MARGIN_MS,
      concurrency,
      pollInterval,
      stopTimeout,
      onProblem: (problem) => log.warn({ problem }, 'the queue has a problem'),
      onFreed: (jobs) => {
        this.#freed += jobs;
        if (jobs > 0) log.warn({ jobs }, 'jobs of the queue were freed, which a worker that has ended had kept');
      },
    });
  }

  async #handle(db: Database, task: string, job: DeliveryJob, signal: AbortSignal): Promise<void> {
    const { log, maxAttempts, retryDelay, onEnd } = this.#options;
    const { accountId, deliveryId: id, traceparent } = job;
    const queued = await findQueued(db, accountId, id);
    if (queued === undefined) return;
    const { name } = queued;
    const target = await findTarget(db, accountId, queued);
    if (target === undefined) return endDelivery(db, { accountId, id, name, status: 'sent', attempts: queued.attempts }, onEnd);
    // A receiver that has just failed may be silent again for the whole of the timeout: it waits among its like.
    if (task === DELIVERY && (target.webhook?.failures ?? 0) > 0)
      return retryDelivery(db, accountId, id, { attempts: queued.attempts, delay: 0, traceparent });
    const { failure, answer } = await this.#tryDelivery(db, job, target, queued, signal);
    const isDeclared = answer === undefined ? undefined : isDeclaredStatus(this.#declared, name, answer);
    if (failure === undefined)
      return endDelivery(db, { accountId, id, name, status: 'sent', attempts: queued.attempts, answer, isDeclared }, onEnd);

    const attempts = queued.attempts + 1;
    log.warn({ accountId, messageId: id, name, attempts, failure }, 'a message could not be delivered');
    if (attempts >= maxAttempts) return endDelivery(db, { accountId, id, name, status: 'failed', attempts, answer, isDeclared }, onEnd);
    return retryDelivery(db, accountId, id, { attempts, answer, isDeclared, delay: retryDelayAfter(attempts, retryDelay), traceparent });
  }

  async #tryDelivery(
    db: Database,
    { accountId, traceparent }: DeliveryJob,
    target: Target,
    { id, name, body }: QueuedDelivery,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const { webhook } = target;
    if (webhook?.isPaused) return PAUSED;
    const { method, type } = this.#declared[name] ?? {};
    const outcome = await deliver(target, { id, body, traceparent, method, type }, { ...this.#options, signal });
    // Not the receiver's doing, so it does not count as an attempt: the queue hands the delivery out again.
    if (outcome.failure !== undefined && signal.aborted) throw new Error('the worker is being stopped');
    if (webhook !== undefined && outcome.failure !== undefined) await recordFailure(db, accountId, webhook, this.#options.breaker);
    else if (webhook !== undefined && webhook.failures > 0) await recordSuccess(db, accountId, webhook);
    return outcome;
  }

  async #clean(db: Database): Promise<void> {
    const { retentionDays, clean, log } = this.#options;
    try {
      await deleteEnded(db, 'webhook_deliveries', retentionDays);
      await clean?.(db);
      await cleanQueue(db);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'old messages could not be deleted');
    }
  }
}

type DeclaredDeliveries = Readonly<Record<string, OutgoingEntry>>;

/** `undefined` if the contract does not say. */
function isDeclaredStatus(outgoing: DeclaredDeliveries, name: string, status: number): boolean | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return outgoing[name]?.statuses.some((declared) => [String(status), range, 'default'].includes(declared));
}

/** What a delivery is sent to. */
interface Target {
  readonly url: string;
  readonly secret?: string | undefined;
  /** Of a delivery to the webhook of its account. */
  readonly webhook?: DeliveryTarget;
}

/** @returns `undefined` if the account has no webhook, and the delivery no address. */
async function findTarget(db: Database, accountId: number, { url, secret }: QueuedDelivery): Promise<Target | undefined> {
  if (url !== null) return { url, secret: secret ?? undefined };
  const webhook = await findDeliveryTarget(db, accountId);
  return webhook && { url: webhook.url, secret: webhook.secret, webhook };
}
