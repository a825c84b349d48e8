/** Takes deliveries from the queue and makes them: retries with ever longer delays, and gives up after days. Deletes old ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openNotificationChannel, type Database, type NotificationChannel } from '@specwright/postgres';
import { byLabel, counter, gauge, type GeneratedOutgoing, type Log, type Metric, type OutgoingEntry } from '@specwright/server';
import { type DeliverOptions, type DeliveryOutcome, deliver, FAILURE_KINDS, type FailureKind } from './deliver.ts';
import { type EndedDelivery, type OnEnd, deleteEnded, endDelivery, isWebhookDeleted, retryDelivery } from './deliveries.ts';
import { LaneSlots } from './lane.ts';
import { Leases } from './leases.ts';
import { CHANNEL, type Lane, LANES, type LeasedDelivery, connectQueue, leaseNext, releaseLease } from './queue.ts';
import { SlowReceivers } from './slow-receivers.ts';
import { type Breaker, type DeliveryTarget, findDeliveryTarget, isGone, recordFailure, recordGone, recordSuccess } from './webhooks.ts';

/** What the worker needs of a logger; pino has it. */
export type WorkerLog = Pick<Log, 'info' | 'warn'>;

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
  /** How long a delivery stays with a worker that has died, in ms: by default ten seconds. One that is alive renews its lease. */
  readonly lease?: number;
  /** How many deliveries at once: first ones, and those that follow a failure or are for a slow receiver. Of an account one of each. */
  readonly concurrency?: { readonly first: number; readonly retries: number };
  readonly breaker?: Breaker;
  /** How long deliveries are kept once they have ended, in days. */
  readonly retentionDays: number;
  /** What the service does when a delivery has ended, in the transaction that ends it. */
  readonly onEnd?: OnEnd;
  /** What the service deletes beside old deliveries, every hour. */
  readonly clean?: (db: Database) => Promise<void>;
}

const CONNECTIONS = 4;
const CLEANING_INTERVAL_MS = 3_600_000;
/** How long deliveries that were interrupted may take to be released, in ms. */
const STOP_MARGIN_MS = 1000;
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
  lease: 10_000,
  concurrency: { first: 50, retries: 10 },
  breaker: { threshold: 5, pause: 60_000 },
};

export class Worker {
  readonly #options: WorkerOptions & typeof DEFAULTS;
  readonly #declared: DeclaredDeliveries;
  #end: (() => Promise<void>) | undefined = undefined;
  #isStopped = false;
  #lanes: readonly LaneSlots[] = [];
  #freed = 0;
  #losses = 0;
  /** When each delivery under way began, on the clock of `performance.now()`, in ms. */
  readonly #underWay = new Set<{ readonly began: number }>();
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
    const { lease, log, stopTimeout } = this.#options;
    const db = connectQueue(this.#options.db, CONNECTIONS);
    const leases = new Leases(db, { lease, onFreed: (count) => this.#recordFreed(count) });
    const lanes = LANES.map((lane) => this.#openLane(db, lane, leases));
    this.#lanes = lanes;
    const channel = this.#listen(db);
    let cleaning = this.#clean(db);
    const timer = setInterval(() => (cleaning = this.#clean(db)), CLEANING_INTERVAL_MS);
    this.#end = async () => {
      clearInterval(timer);
      const interruption = setTimeout(() => leases.interrupt(), stopTimeout);
      const ended = Promise.all([cleaning, channel.close(), ...lanes.map((slots) => slots.stop())]);
      // Beside a silent database it may take longer than there is time.
      await Promise.race([ended, sleep(stopTimeout + STOP_MARGIN_MS, undefined, { ref: false })]);
      clearTimeout(interruption);
      leases.close();
      await db.destroy();
    };
    log.info({}, 'the worker has started');
  }

  /** Takes no further delivery and waits for those under way. One that cannot end in time is made again later. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end?.();
  }

  /** Deliveries under way, failed tries, deliveries that were given up, and how often the database was lost: a source of metrics. */
  readonly metrics = (): Metric[] => [
    counter('messages_queue_freed_total', 'Leases of deliveries that a worker which has ended had kept.', this.#freed),
    counter('deliveries_failed_total', 'Tries of a delivery that have failed, by what was wrong.', byLabel('kind', this.#failed)),
    counter(
      'deliveries_given_up_total',
      'Deliveries that are not tried again, by what was wrong with the last try.',
      byLabel('kind', this.#givenUp),
    ),
    gauge('deliveries_under_way', 'Deliveries that wait for their receiver.', [{ value: this.#underWay.size }]),
    gauge('deliveries_under_way_age_seconds', 'How long the oldest delivery under way has waited for its receiver.', [
      { value: this.#oldest() / 1000 },
    ]),
    counter('messages_queue_restarts_total', 'How often the worker has lost the database, and begun again.', this.#losses),
  ];

  /** How long the oldest delivery under way has taken, in ms. */
  #oldest(): number {
    const [oldest] = this.#underWay;
    return oldest === undefined ? 0 : performance.now() - oldest.began;
  }

  #wake = (): void => {
    for (const lane of this.#lanes) lane.wake();
  };

  /** New deliveries are begun at once, and not at the next look. */
  #listen(db: Database): NotificationChannel {
    return openNotificationChannel(db, CHANNEL, {
      onNotification: this.#wake,
      onOpen: this.#wake,
      onListening: () => undefined,
      onPaused: this.#wake,
      onLost: (error, isFirst) => {
        if (!isFirst) return;
        this.#losses++;
        this.#options.log.warn({ reason: (error as Error).message }, 'the worker has lost the database, and begins again');
      },
    });
  }

  #recordFreed(deliveries: number): void {
    this.#freed += deliveries;
    this.#options.log.warn({ deliveries }, 'deliveries are made again that a worker which has ended had begun');
    this.#wake();
  }

  #openLane(db: Database, lane: Lane, leases: Leases): LaneSlots {
    const { concurrency, lease, pollInterval, log } = this.#options;
    return new LaneSlots(db, {
      lane,
      concurrency: concurrency[lane],
      pollInterval,
      onProblem: ({ message }) => log.warn({ problem: message }, 'the queue has a problem'),
      deliverNext: async (accountId) => {
        const leasedAt = performance.now();
        const leased = await leaseNext(db, accountId, lane, lease);
        if (leased === undefined) return false;
        await leases.run(leased, leasedAt, async (signal) => {
          try {
            await this.#deliver(db, lane, leased, signal);
          } catch (error) {
            if (!leases.isInterrupted)
              log.warn(
                { accountId, messageId: leased.id, problem: (error as Error).message },
                'a delivery is made again: it was interrupted',
              );
            await releaseLease(db, leased, leases.isInterrupted);
          }
        });
        return true;
      },
    });
  }

  async #deliver(db: Database, lane: Lane, leased: LeasedDelivery, signal: AbortSignal): Promise<void> {
    const { accountId, attempts } = leased;
    const target = await findTarget(db, leased);
    if (target === undefined) return this.#endWithoutTarget(db, leased);
    const { webhook } = target;
    if (webhook !== undefined && isGone(webhook)) return this.#giveUp(db, leased, 'gone');
    // What a pause holds back is no try: its receiver has not been asked.
    if (webhook !== undefined && webhook.pausedFor > 0 && leased.age < this.#options.giveUpAfter)
      return retryDelivery(db, leased, { attempts, delay: webhook.pausedFor });
    // Receivers that failed or are slow use the lane of retries, so that they cannot block the others.
    if (lane === 'first' && ((webhook?.failures ?? 0) > 0 || this.#slow.has(accountId))) {
      await retryDelivery(db, leased, { attempts });
      return this.#wake();
    }
    await this.#tryDelivery(db, leased, target, signal);
  }

  async #tryDelivery(db: Database, leased: LeasedDelivery, target: Target, signal: AbortSignal): Promise<void> {
    const { log, maxAttempts, giveUpAfter, retryDelay, onEnd } = this.#options;
    const { accountId, id, name, body } = leased;
    const traceparent = leased.traceparent ?? undefined;
    const { method, type } = this.#declared[name] ?? {};
    const underWay = { began: performance.now() };
    this.#underWay.add(underWay);
    const sent = deliver(target, { id, body, traceparent, method, type }, { ...this.#options, signal });
    const outcome = await sent.finally(() => this.#underWay.delete(underWay));
    const { failure, answer } = outcome;
    // Not the receiver's doing, so it does not count as an attempt.
    if (failure !== undefined) signal.throwIfAborted();
    this.#slow.record(accountId, performance.now() - underWay.began);
    await this.#recordOutcome(db, accountId, target, outcome);
    const isDeclared = answer === undefined ? undefined : isDeclaredStatus(this.#declared, name, answer);
    if (failure === undefined)
      return endDelivery(db, { accountId, id, name, status: 'sent', attempts: leased.attempts, answer, isDeclared }, onEnd);

    const attempts = leased.attempts + 1;
    this.#failed[failure.kind]++;
    log.warn({ accountId, messageId: id, name, attempts, kind: failure.kind, failure: failure.text }, 'a message could not be delivered');
    const delay = Math.max(retryDelayAfter(attempts, retryDelay), failure.retryAfter ?? 0);
    if (failure.kind === 'gone' || attempts >= maxAttempts || leased.age + delay > giveUpAfter)
      return this.#giveUp(db, { accountId, id, name, attempts, answer, isDeclared }, failure.kind);
    return retryDelivery(db, leased, { attempts, answer, isDeclared, delay });
  }

  /** One that was queued for a webhook has failed without it. With no webhook there was nobody to send it to. */
  async #endWithoutTarget(db: Database, leased: LeasedDelivery): Promise<void> {
    if (await isWebhookDeleted(db, leased)) return this.#giveUp(db, leased, 'gone');
    const { accountId, id, name, attempts } = leased;
    return endDelivery(db, { accountId, id, name, attempts, status: 'sent' }, this.#options.onEnd);
  }

  #giveUp(db: Database, delivery: Omit<EndedDelivery, 'status'>, kind: FailureKind): Promise<void> {
    const { accountId, id, name, attempts, answer, isDeclared } = delivery;
    this.#givenUp[kind]++;
    this.#options.log.warn({ accountId, messageId: id, name, kind }, 'a message is not delivered: it is given up');
    return endDelivery(db, { accountId, id, name, attempts, answer, isDeclared, status: 'failed' }, this.#options.onEnd);
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
async function findTarget(db: Database, { accountId, url, secret }: LeasedDelivery): Promise<Target | undefined> {
  if (url !== null) return { url, secret: secret ?? undefined };
  const webhook = await findDeliveryTarget(db, accountId);
  return webhook && { url: webhook.url, secret: webhook.secret, webhook };
}
