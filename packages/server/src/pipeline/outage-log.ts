/** Errors of an outage in the log: the first in full, and those of the next ten seconds as one line with their number. */
import type { AppError } from '@specwright/contract/runtime';
import type { Exchange } from './exchange.ts';
import type { Log } from '../log/logger.ts';

const WINDOW_MS = 10_000;
/** Services may give each 503 another message: those beyond them have a line each. */
const MAX_WINDOWS = 50;

/** @returns the code of what caused an error: a SQLSTATE, or one of Node; `undefined` if the cause has none. */
export function causeCode({ cause }: AppError): string | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

interface Outage {
  readonly error: AppError;
  /** How many came after the one that is in the log. */
  more: number;
}

/**
 * A database that is away for a minute fails thousands of requests for one reason: their errors, of two kilobytes each, would bury it.
 * `http_server_unavailable_total` counts each.
 */
export class OutageLog {
  readonly #outages = new Map<string, Outage>();

  report(exchange: Exchange, error: AppError): void {
    const key = `${String(causeCode(error))} ${error.message}`;
    const known = this.#outages.get(key);
    if (known !== undefined) {
      known.more++;
      return;
    }
    exchange.log.error({ operation: exchange.operation?.id, err: error.cause ?? error }, error.message);
    if (this.#outages.size < MAX_WINDOWS) this.#begin(key, { error, more: 0 }, exchange.service.log);
  }

  #begin(key: string, outage: Outage, log: Log): void {
    this.#outages.set(key, outage);
    setTimeout(() => {
      this.#outages.delete(key);
      const { error, more } = outage;
      const cause = error.cause instanceof Error ? error.cause.message : undefined;
      if (more > 0) log.error({ count: more, cause }, `${error.message}, for ${more} more requests within ${WINDOW_MS / 1000} s`);
    }, WINDOW_MS).unref();
  }
}
