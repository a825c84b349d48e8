/** Has events published by this process, soon after it is woken, in batches. */
import { inBackground } from '@specwright/contract/runtime';
import type { Database } from '../connection/connect.ts';
import { EventPublication } from './publish.ts';

/** The least time from one batch to the next, in ms: while somebody has a stream, and while nobody has. */
const INTERVAL_MS = { listened: 20, idle: 1000 };
const RETRY_MS = 500;

export class EventPublisher {
  readonly #publication: EventPublication;
  readonly #background: boolean;
  #timer: NodeJS.Timeout | undefined = undefined;
  #running: Promise<boolean> | undefined = undefined;
  #isDue = false;
  #isClosed = false;
  #isListenedTo = false;
  #began = -Infinity;

  /** @param background `false`: only `run` and `flush` publish. */
  constructor(db: Database, background = true) {
    this.#publication = new EventPublication(db);
    this.#background = background;
  }

  /** How many events this process has published. */
  get published(): number {
    return this.#publication.published;
  }

  /** There are events that are not published yet. */
  wake(): void {
    this.#isDue = true;
    if (this.#background && this.#running === undefined) this.#schedule(this.#isListenedTo ? INTERVAL_MS.listened : INTERVAL_MS.idle);
  }

  /** Publishes what is committed by now. @throws AppError service_unavailable. */
  async run(): Promise<void> {
    // One that is under way may have looked before.
    await this.#running?.catch(() => undefined);
    await (this.#running ?? this.#publish());
  }

  /** Publishes what this process was woken for. What fails is left to others. */
  async flush(): Promise<void> {
    if (this.#isDue) await this.run().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  #schedule(interval: number): void {
    if (this.#isClosed || this.#timer !== undefined) return;
    const runDue = () => {
      this.#timer = undefined;
      inBackground(this.run().catch(() => undefined));
    };
    this.#timer = setTimeout(runDue, Math.max(0, this.#began + interval - performance.now())).unref();
  }

  async #publish(): Promise<void> {
    this.#isDue = false;
    this.#began = performance.now();
    this.#running = this.#publication.publish();
    try {
      this.#isListenedTo = await this.#running;
    } catch (error) {
      this.#isDue = true;
      this.#began += RETRY_MS;
      throw error;
    } finally {
      this.#running = undefined;
      if (this.#isDue) this.wake();
    }
  }
}
