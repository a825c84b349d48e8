/** Which feeds are open for a pool, so that a store function needs only its transaction to append an event. */
import type { Database } from '../connection/connect.ts';
import type { EventItem } from './event-item.ts';

export interface OpenFeed {
  readonly follow: (log: string, accountId: number, after: number | undefined) => AsyncIterableIterator<EventItem>;
  /** There are events to publish. */
  readonly wake: () => void;
}

const feeds = new WeakMap<Database, Set<OpenFeed>>();

export const feedsOf = (db: Database): ReadonlySet<OpenFeed> => feeds.get(db) ?? new Set();

/** @returns what removes it. */
export function addFeed(db: Database, feed: OpenFeed): () => void {
  const ofPool = feeds.get(db) ?? new Set();
  feeds.set(db, ofPool.add(feed));
  return () => void ofPool.delete(feed);
}
