/** Deletes what is not kept any more: old events of the stock, and uploads that were never ended. */
import type { Database } from '@specwright/postgres';
import { inBackground, type Log } from '@specwright/server';
import { deleteUnfinishedPhotos } from './photos.ts';
import { deleteOldStockEvents } from './stock-events.ts';

const HOUR_MS = 3_600_000;
/** What is left of an upload counts against the quota of its account. */
const UPLOADS_INTERVAL_MS = HOUR_MS / 12;

/** Begins, with a pause after each time. @param stockEventHours how long events are kept. @returns what ends it. */
export function startCleanup(db: Database, log: Pick<Log, 'warn'>, stockEventHours: number): () => void {
  const every = (ms: number, clean: () => Promise<unknown>) => {
    const cleanUp = () => clean().catch((err: unknown) => log.warn({ err }, 'old stock events or unfinished uploads could not be deleted'));
    // Jitter, so that not all servers do it at once.
    return setInterval(() => inBackground(cleanUp()), ms * (0.75 + Math.random() / 2)).unref();
  };
  const timers = [
    every(HOUR_MS, () => deleteOldStockEvents(db, stockEventHours)),
    every(UPLOADS_INTERVAL_MS, () => deleteUnfinishedPhotos(db)),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}
