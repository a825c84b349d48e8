/** Type proofs of event logs: what is appended is what the item schema describes, without its id and without `reset`. */
import type { Database } from '@specwright/postgres';
import { defineEventLog, type ResetEvent } from '@specwright/postgres/events';

declare const db: Database;

interface Changed {
  id: string;
  event: 'changed';
  data: { count: number };
}
interface Removed {
  id: string;
  event: 'removed';
  data: { name: string };
}

const log = defineEventLog<Changed | Removed | ResetEvent>('things');

void log.append(db, 1, { event: 'changed', data: { count: 1 } }, { event: 'removed', data: { name: 'a' } });
// @ts-expect-error the data of another event
void log.append(db, 1, { event: 'changed', data: { name: 'a' } });
// @ts-expect-error an event that is not declared
void log.append(db, 1, { event: 'moved', data: { count: 1 } });
// @ts-expect-error ids are given when events are published
void log.append(db, 1, { id: '1', event: 'changed', data: { count: 1 } });
// @ts-expect-error only streams say that something may be missing
void log.append(db, 1, { event: 'reset', data: { reason: 'started' } });

// @ts-expect-error a stream may begin with `reset`, which this schema does not declare
defineEventLog<Changed | Removed>('things');

/** What a handler passes on as `items`. */
log.follow(db, 1, '41') satisfies AsyncIterable<Changed | Removed | ResetEvent>;
