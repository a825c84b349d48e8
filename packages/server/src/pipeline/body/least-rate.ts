/** Refuses bodies that arrive at less than a least rate, while other requests need the bytes that they hold. */
import { bodyTooSlow } from './body-errors.ts';
import type { BodyLease } from './body-lease.ts';

/** A mobile connection of 2G is five times as fast. */
export const LEAST_BYTES_PER_SECOND = 1024;
const MAX_WINDOW_MS = 5000;
/** How often the rate is measured in a window. */
const MEASUREMENTS = 5;

export interface Arriving {
  readonly lease: BodyLease;
  readonly receivedBytes: number;
  /** Whether the server waits for the client, and not the client for the server. */
  readonly isAwaited: boolean;
  readonly refuse: (error: Error) => void;
}

interface Mark {
  readonly bytes: number;
  readonly at: number;
}

export class LeastRate {
  readonly #windowMs: number;
  readonly #isBusy: () => boolean;
  readonly #arriving = new Map<Arriving, Mark | undefined>();
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param windowMs in which a body has to have the least rate. @param isBusy whether other requests need the bytes that bodies hold. */
  constructor(windowMs: number, isBusy: () => boolean) {
    this.#windowMs = Math.min(windowMs, MAX_WINDOW_MS);
    this.#isBusy = isBusy;
  }

  add(body: Arriving): void {
    this.#arriving.set(body, undefined);
    this.check();
  }

  delete(body: Arriving): void {
    this.#arriving.delete(body);
  }

  /** The oldest first. */
  bodies(): Arriving[] {
    return [...this.#arriving.keys()];
  }

  /** Must be called when more bytes are held; nothing has to be when fewer are. */
  check(): void {
    if (this.#timer !== undefined || this.#arriving.size === 0 || !this.#isBusy()) return;
    for (const body of this.#arriving.keys()) this.#arriving.set(body, undefined);
    this.#measure();
  }

  #measure(): void {
    this.#timer = undefined;
    if (this.#arriving.size === 0 || !this.#isBusy()) return;
    this.#timer = setTimeout(() => this.#measure(), this.#windowMs / MEASUREMENTS).unref();
    const now = performance.now();
    const late: Arriving[] = [];
    for (const [body, mark] of this.#arriving) {
      const { receivedBytes, isAwaited } = body;
      if (mark !== undefined && isAwaited && now - mark.at < this.#windowMs) continue;
      const isLate = mark !== undefined && isAwaited && receivedBytes - mark.bytes < ((now - mark.at) / 1000) * LEAST_BYTES_PER_SECOND;
      if (isLate) late.push(body);
      this.#arriving.set(body, { bytes: receivedBytes, at: now });
    }
    if (late.length === 0) return;
    // Timers run before input is read: after a pause of this process the bytes may be there already.
    setImmediate(() => {
      for (const body of late) {
        const mark = this.#arriving.get(body);
        if (mark !== undefined && body.receivedBytes - mark.bytes < LEAST_BYTES_PER_SECOND)
          body.refuse(bodyTooSlow(LEAST_BYTES_PER_SECOND));
      }
    });
  }
}
