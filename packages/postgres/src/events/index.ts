/** The public API of `@specwright/postgres/events`. */
export type { EventItem, EventOf, ResetEvent } from './event-item.ts';
export { defineEventLog, type EventLog } from './event-log.ts';
export { openEventFeed, publishEvents, type EventFeed, type EventFeedOptions } from './event-feed.ts';
export { eventMigrations } from './migrations/index.ts';
