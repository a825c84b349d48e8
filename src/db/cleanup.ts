/** Deletes what is not kept any more: uploads that were never ended. */
import type { Database } from '@specwright/postgres';
import { type Log, repeatInBackground, type ServerPart } from '@specwright/server';
import { deleteUnfinishedPhotos } from './photos.ts';

/** What is left of an upload counts against the quota of its account. */
const INTERVAL_MS = 300_000;

/** Deletes in the background, with a pause after each time. */
export function createCleanup(db: Database, log: Pick<Log, 'warn'>): ServerPart {
  let end: (() => void) | undefined;
  const warn = (err: unknown) => log.warn({ err }, 'unfinished uploads could not be deleted');
  return {
    start() {
      end = repeatInBackground(() => deleteUnfinishedPhotos(db).catch(warn), INTERVAL_MS);
    },
    stop: () => end?.(),
  };
}
