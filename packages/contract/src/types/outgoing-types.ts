/** The types of what a service sends by its contract, as `generated/outgoing.ts` collects them. */
import type { OutgoingEntry } from '../outgoing/list-outgoing.ts';
import type { Read } from './contract-types.ts';

/** The body of a webhook: what a server may send by its schema. */
export interface OutgoingWebhook<Body> {
  readonly kind: 'webhook';
  readonly body: Read<Body>;
}

/** The body of a callback, which is sent to the URL that a request has named. */
export interface OutgoingCallback<Body> {
  readonly kind: 'callback';
  readonly body: Read<Body>;
}

/** What was generated of the webhooks and callbacks of a contract: `outgoing` of `generated/outgoing.ts`. `T` has the type of each. */
export interface GeneratedOutgoing<T> {
  readonly types?: T;
  readonly table: { readonly [Name in keyof T]: OutgoingEntry };
}
