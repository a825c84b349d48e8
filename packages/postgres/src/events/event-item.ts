/** The items of a stream of events, as its contract describes them. */

/** What the item schema of a stream describes: an event with an id. */
export interface EventItem {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Sent by a stream that begins without an id (`started`), or after one whose next events are not there (`expired`). */
export interface ResetEvent extends EventItem {
  readonly event: 'reset';
  readonly data: { readonly reason: 'started' | 'expired' };
}

/** What is appended: an item without its id, which it gets when it is published. */
export type EventOf<Item extends EventItem> = Item extends { readonly event: 'reset' } ? never : Omit<Item, 'id'>;
