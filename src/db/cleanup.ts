/** Deletes what is not kept any more: old events of the stock, and uploads that were never ended. */
import type { Database } from '@specwright/postgres';
import { inBackground, type Log } from '@specwright/server';
import { deleteUnfinishedPhotos } from './photos.ts';
import { deleteOldStockEvents } from './stock-events.ts';

const INTERVAL_MS = 3_600_000;

/** Begins, with a pause of about an hour after each time. @param stockEventHours how long events are kept. @returns what ends it. */
export function startCleanup(db: Database, log: Pick<Log, 'warn'>, stockEventHours: number): () => void {
  const cleanUp = () =>
    Promise.all([deleteOldStockEvents(db, stockEventHours), deleteUnfinishedPhotos(db)]).catch((err: unknown) =>
      log.warn({ err }, 'old stock events and unfinished uploads could not be deleted'),
    );
  // Jitter, so that not all servers do it at once.
  const timer = setInterval(() => inBackground(cleanUp()), INTERVAL_MS * (0.75 + Math.random() / 2)).unref();
  return () => clearInterval(timer);
}
