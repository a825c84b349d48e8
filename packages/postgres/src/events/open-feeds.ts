/** Which feeds are open for a pool, so that a store function needs only its transaction to append an event. */
import type { Database } from '../connection/connect.ts';
import type { EventItem } from './event-item.ts';

export interface OpenFeed {
  readonly follow: (log: string, accountId: number, after: number | undefined) => AsyncIterableIterator<EventItem>;
  /** Called when there are events to publish. */
  readonly publisher: { wake(): void };
}

const feeds = new WeakMap<Database, Set<OpenFeed>>();

/** Has the feeds of a pool publish what was committed. */
export function wakeFeeds(db: Database): void {
  for (const { publisher } of feeds.get(db) ?? []) publisher.wake();
}

export const lastFeed = (db: Database): OpenFeed | undefined => [...(feeds.get(db) ?? [])].at(-1);

/** @returns what removes it. */
export function addFeed(db: Database, feed: OpenFeed): () => void {
  const ofPool = feeds.get(db) ?? new Set();
  feeds.set(db, ofPool.add(feed));
  return () => void ofPool.delete(feed);
}
