/** Logs requests that are refused in an overload together: a line for each would be a large part of what they cost. */
import type { Log } from '../../ops/log/logger.ts';

/** How often they are logged, in ms. */
const INTERVAL_MS = 1000;
/** Those with the most refusals are named. */
const MAX_NAMED = 5;

export class OverloadLog {
  readonly #log: Pick<Log, 'warn'>;
  readonly #state: () => object;
  #refused = 0;
  readonly #byCaller = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param state what is logged beside the number of refusals. */
  constructor(log: Pick<Log, 'warn'>, state: () => object) {
    this.#log = log;
    this.#state = state;
  }

  /** @param caller the bucket of the account whose request it was; `undefined` if that is not known. */
  add(caller: string | undefined): void {
    this.#refused++;
    if (caller !== undefined) this.#byCaller.set(caller, (this.#byCaller.get(caller) ?? 0) + 1);
    if (this.#timer === undefined) this.#write();
  }

  /** The first at once, then what has followed, once for each interval. */
  #write(): void {
    this.#timer = undefined;
    if (this.#refused === 0) return;
    const callers = Object.fromEntries([...this.#byCaller].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED));
    this.#log.warn({ refused: this.#refused, callers, ...this.#state() }, 'too many requests are under way');
    this.#refused = 0;
    this.#byCaller.clear();
    this.#timer = setTimeout(() => this.#write(), INTERVAL_MS).unref();
  }
}
