/** What a request has to release: each thing once, whichever way the request ends. */
import { isThenable } from '@specwright/contract';

/** It may return a promise. */
export type Release = () => unknown;

/**
 * How long a thing is needed.
 *
 * `work`: until the last step has ended, also that of a handler that goes on after the deadline: what the handler reads, such as its upload.
 * `response`: until nothing more is sent, because the response is closed, its deadline has passed, or it was something else: streams, files
 * and listeners. What comes later, as from a handler after its deadline, is released at once.
 */
export type Until = 'work' | 'response';

export class ReleaseList {
  readonly #report: (error: unknown) => void;
  /** `undefined` once it is over. */
  readonly #entries: Record<Until, Release[] | undefined> = { work: [], response: [] };

  /** @param report is told what a release fails with. */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  add(until: Until, release: Release): void {
    const entries = this.#entries[until];
    if (entries === undefined) this.#run(release);
    else entries.push(release);
  }

  /** Releases in reverse order, as what was added later may use what was there before. */
  release(until: Until): void {
    const entries = this.#entries[until];
    this.#entries[until] = undefined;
    for (const release of entries?.reverse() ?? []) this.#run(release);
  }

  /** One that fails keeps none of the others. */
  #run(release: Release): void {
    try {
      const pending = release();
      if (isThenable(pending)) Promise.resolve(pending).catch(this.#report);
    } catch (error) {
      this.#report(error);
    }
  }
}
