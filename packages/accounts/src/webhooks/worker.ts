/** Takes deliveries from the queue and makes them: retries with ever longer delays, and gives up after days. Deletes old ones. */
import type { Database } from '@specwright/postgres';
import { byLabel, counter, type GeneratedOutgoing, type Log, type Metric, type OutgoingEntry } from '@specwright/server';
import { type DeliverOptions, type DeliveryOutcome, deliver, FAILURE_KINDS, type FailureKind } from './deliver.ts';
import {
  type DeliveryJob,
  type EndedDelivery,
  type OnEnd,
  type QueuedDelivery,
  deleteEnded,
  endDelivery,
  findQueued,
  retryDelivery,
} from './deliveries.ts';
import { DELIVERY, REDELIVERY, cleanQueue, connectBeside, startQueueWorker } from './queue.ts';
import { type Breaker, type DeliveryTarget, findDeliveryTarget, isGone, recordFailure, recordGone, recordSuccess } from './webhooks.ts';

// Which receivers take long to answer, as this process has seen it: their deliveries wait for each other, and for nobody else.

/** From how long on a delivery is slow, in ms. */
const SLOW_MS = 1000;
/** Accounts that are remembered: the ones that were slow last. */
const MAX_ACCOUNTS = 10_000;

interface Turns {
  /** How long the last delivery took, in ms. */
  readonly duration: number;
  /** When the delivery that is handed out next has its turn, in ms of `performance.now()`. */
  next: number;
}

class SlowReceivers {
  readonly #turns = new Map<number, Turns>();

  has(accountId: number): boolean {
    return this.#turns.has(accountId);
  }

  /** @param duration how long a delivery took, in ms. */
  record(accountId: number, duration: number): void {
    const { next = 0 } = this.#turns.get(accountId) ?? {};
    this.#turns.delete(accountId);
    if (duration < SLOW_MS) return;
    this.#turns.set(accountId, { duration, next });
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_ACCOUNTS && oldest !== undefined) this.#turns.delete(oldest);
  }

  /**
   * When the next delivery to the account begins if each one takes as long as the last: those that have waited longest go first, so a
   * backlog without such turns would be in front of what other slow receivers are sent.
   *
   * @returns in how many ms; 0 for a receiver that is not slow.
   */
  turnOf(accountId: number): number {
    const turns = this.#turns.get(accountId);
    if (turns === undefined) return 0;
    const now = performance.now();
    const turn = Math.max(now, turns.next);
    turns.next = turn + turns.duration;
    return turn - now;
  }
}

/** What the worker needs of a logger; pino has it. */
export type WorkerLog = Pick<Log, 'info' | 'warn'>;

/** Does a job of the queue. If it throws, the job is done again later. */
export type HandleTask = (db: Database, payload: unknown) => Promise<void>;

export interface WorkerOptions extends Omit<DeliverOptions, 'signal'> {
  readonly db: Database;
  readonly log: WorkerLog;
  /** How long deliveries under way may take to end when the worker is stopped, in ms. */
  readonly stopTimeout: number;
  /** `outgoing` of `generated/outgoing.ts`. Without it every delivery is a POST, and it is not known which statuses are declared. */
  readonly outgoing?: GeneratedOutgoing<object>;
  /** For how long a delivery is tried before it is `failed`, in ms: by default three days. */
  readonly giveUpAfter?: number;
  /** How often it is tried at the most; by default as often as there is time for. */
  readonly maxAttempts?: number;
  /** The delay after the first failed attempt, in ms. Each further one is twice as long, up to an hour. */
  readonly retryDelay?: number;
  /** How often to look for deliveries whose time has come, in ms. */
  readonly pollInterval?: number;
  /** How many deliveries at once: first ones, and those that follow a failure or are for a slow receiver. Of an account one of each. */
  readonly concurrency?: { readonly first: number; readonly retries: number };
  readonly breaker?: Breaker;
  /** How long deliveries that have ended are kept, in days. */
  readonly retentionDays: number;
  /** What the service does when a delivery has ended, in the transaction that ends it. */
  readonly onEnd?: OnEnd;
  /** What the service deletes beside old deliveries, every hour. */
  readonly clean?: (db: Database) => Promise<void>;
  /** Further tasks of the queue that the worker does, by their names. */
  readonly tasks?: Readonly<Record<string, HandleTask>>;
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
export const createWorker = (options: WorkerOptions): Worker => new Worker(options);

const DEFAULTS = {
  giveUpAfter: 3 * 86_400_000,
  maxAttempts: Infinity,
  retryDelay: 5000,
  pollInterval: 2000,
  concurrency: { first: 50, retries: 10 },
  breaker: { threshold: 5, pause: 60_000 },
};

export class Worker {
  readonly #options: WorkerOptions & typeof DEFAULTS;
  readonly #declared: DeclaredDeliveries;
  #end: (() => Promise<void>) | undefined = undefined;
  #isStopped = false;
  #freed = 0;
  readonly #failed = noneOfAnyKind();
  readonly #givenUp = noneOfAnyKind();
  readonly #slow = new SlowReceivers();

  constructor(options: WorkerOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#declared = (options.outgoing?.table ?? {}) as DeclaredDeliveries;
  }

  /** Begins, if it has not begun. */
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

  /** Takes no further delivery and waits for those under way. One that cannot end in time is made again later. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end?.();
  }

  /** The tries that have failed, the deliveries that were given up, and the jobs that it has freed: a source of metrics. */
  readonly metrics = (): Metric[] => [
    counter('messages_queue_freed_total', 'Jobs that a worker which has ended had kept.', this.#freed),
    counter('deliveries_failed_total', 'Tries of a delivery that have failed, by what was wrong.', byLabel('kind', this.#failed)),
    counter(
      'deliveries_given_up_total',
      'Deliveries that are not tried again, by what was wrong with the last try.',
      byLabel('kind', this.#givenUp),
    ),
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
    const { accountId, deliveryId: id, traceparent } = job;
    const queued = await findQueued(db, accountId, id);
    if (queued === undefined) return;
    const { name, attempts } = queued;
    const target = await findTarget(db, accountId, queued);
    if (target === undefined) return endDelivery(db, { accountId, id, name, status: 'sent', attempts }, this.#options.onEnd);
    const { webhook } = target;
    if (webhook !== undefined && isGone(webhook)) return this.#giveUp(db, { accountId, id, name, attempts }, 'gone');
    // What a pause holds back is no try: its receiver has not been asked.
    if (webhook !== undefined && webhook.pausedFor > 0 && queued.age < this.#options.giveUpAfter)
      return retryDelivery(db, accountId, id, { attempts, delay: webhook.pausedFor, traceparent });
    // A receiver that has just failed may be silent again for the whole of the timeout: it waits among its like, as slow ones do.
    if (task === DELIVERY && ((webhook?.failures ?? 0) > 0 || this.#slow.has(accountId)))
      return retryDelivery(db, accountId, id, { attempts, delay: this.#slow.turnOf(accountId), traceparent });
    await this.#tryDelivery(db, job, target, queued, signal);
  }

  async #tryDelivery(db: Database, job: DeliveryJob, target: Target, queued: QueuedDelivery, signal: AbortSignal): Promise<void> {
    const { log, maxAttempts, giveUpAfter, retryDelay, onEnd } = this.#options;
    const { accountId, traceparent } = job;
    const { id, name, body } = queued;
    const { method, type } = this.#declared[name] ?? {};
    const began = performance.now();
    const outcome = await deliver(target, { id, body, traceparent, method, type }, { ...this.#options, signal });
    const { failure, answer } = outcome;
    // Not the receiver's doing, so it does not count as an attempt: the queue hands the delivery out again.
    if (failure !== undefined && signal.aborted) throw new Error('the worker is being stopped');
    this.#slow.record(accountId, performance.now() - began);
    await this.#recordOutcome(db, accountId, target, outcome);
    const isDeclared = answer === undefined ? undefined : isDeclaredStatus(this.#declared, name, answer);
    if (failure === undefined)
      return endDelivery(db, { accountId, id, name, status: 'sent', attempts: queued.attempts, answer, isDeclared }, onEnd);

    const attempts = queued.attempts + 1;
    this.#failed[failure.kind]++;
    log.warn({ accountId, messageId: id, name, attempts, kind: failure.kind, failure: failure.text }, 'a message could not be delivered');
    const delay = Math.max(retryDelayAfter(attempts, retryDelay), failure.retryAfter ?? 0);
    if (failure.kind === 'gone' || attempts >= maxAttempts || queued.age + delay > giveUpAfter)
      return this.#giveUp(db, { accountId, id, name, attempts, answer, isDeclared }, failure.kind);
    return retryDelivery(db, accountId, id, { attempts, answer, isDeclared, delay, traceparent });
  }

  #giveUp(db: Database, delivery: Omit<EndedDelivery, 'status'>, kind: FailureKind): Promise<void> {
    const { accountId, id, name } = delivery;
    this.#givenUp[kind]++;
    this.#options.log.warn({ accountId, messageId: id, name, kind }, 'a message is not delivered: it is given up');
    return endDelivery(db, { ...delivery, status: 'failed' }, this.#options.onEnd);
  }

  /** What the next deliveries to the webhook have to know. */
  async #recordOutcome(db: Database, accountId: number, { webhook }: Target, { failure }: DeliveryOutcome): Promise<void> {
    if (webhook === undefined) return;
    if (failure?.kind === 'gone') return recordGone(db, accountId, webhook);
    if (failure !== undefined) return recordFailure(db, accountId, webhook, { ...this.#options.breaker, retryAfter: failure.retryAfter });
    if (webhook.failures > 0) return recordSuccess(db, accountId, webhook);
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

const noneOfAnyKind = () => Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 0])) as Record<FailureKind, number>;

type DeclaredDeliveries = Readonly<Record<string, OutgoingEntry>>;

/** `undefined` if the contract does not say. */
function isDeclaredStatus(outgoing: DeclaredDeliveries, name: string, status: number): boolean | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return outgoing[name]?.statuses.some((declared) => [String(status), range, 'default'].includes(declared));
}

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
