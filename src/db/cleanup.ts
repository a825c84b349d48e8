/** Deletes what is not kept any more: uploads that were never ended. */
import type { Database } from '@specwright/postgres';
import { inBackground, type Log, type ServerPart } from '@specwright/server';
import { deleteUnfinishedPhotos } from './photos.ts';

/** What is left of an upload counts against the quota of its account. */
const INTERVAL_MS = 300_000;

/** Deletes in the background, with a pause after each time. */
export function createCleanup(db: Database, log: Pick<Log, 'warn'>): ServerPart {
  let timer: NodeJS.Timeout | undefined;
  const warn = (err: unknown) => log.warn({ err }, 'unfinished uploads could not be deleted');
  const clean = () => inBackground(deleteUnfinishedPhotos(db).catch(warn));
  return {
    start() {
      // Jitter, so that not all servers do it at once.
      timer = setInterval(clean, INTERVAL_MS * (0.75 + Math.random() / 2)).unref();
    },
    stop: () => clearInterval(timer),
  };
}
