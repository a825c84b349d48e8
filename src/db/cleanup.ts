/** Deletes what is not kept any more: old events of the stock, and uploads that were never ended. */
import type { Database } from '@specwright/postgres';
import { inBackground, type Log, type ServerPart } from '@specwright/server';
import { deleteUnfinishedPhotos } from './photos.ts';
import { deleteOldStockEvents } from './stock-events.ts';

const HOUR_MS = 3_600_000;
/** What is left of an upload counts against the quota of its account. */
const UPLOADS_INTERVAL_MS = HOUR_MS / 12;

/** Deletes in the background, with a pause after each time. @param stockEventHours how long events are kept. */
export function createCleanup(db: Database, log: Pick<Log, 'warn'>, stockEventHours: number): ServerPart {
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, clean: () => Promise<unknown>) => {
    const cleanUp = () => clean().catch((err: unknown) => log.warn({ err }, 'old stock events or unfinished uploads could not be deleted'));
    // Jitter, so that not all servers do it at once.
    timers.push(setInterval(() => inBackground(cleanUp()), ms * (0.75 + Math.random() / 2)).unref());
  };
  return {
    start() {
      every(HOUR_MS, () => deleteOldStockEvents(db, stockEventHours));
      every(UPLOADS_INTERVAL_MS, () => deleteUnfinishedPhotos(db));
    },
    stop: () => timers.forEach((timer) => clearInterval(timer)),
  };
}
