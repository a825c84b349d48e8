/** What admission knows of a request. Of whatever kind of exchange: an exchange has a ticket, and the ticket its exchange. */
import type { Durations } from './concurrency-limit.ts';
import type { Slotted } from '@specwright/contract/runtime';

export class Ticket<Exchange> implements Slotted {
  readonly exchange: Exchange;
  slot = -1;
  /**
   * Without a slot until its caller is known, then waiting for one. `expired`: answered at its deadline, with a slot until its work
   * ends. `ended` once it was answered, or has given its slot back.
   */
  state: 'authenticating' | 'waiting' | 'running' | 'expired' | 'ended' = 'authenticating';
  /** The account whose share it is, once it is known. */
  key: string | undefined = undefined;
  /** Since when it has been in its state, on the clock of `performance.now()`, in ms. */
  since = 0;
  readonly durations: Durations;
  resume: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined = undefined;

  constructor(exchange: Exchange, durations: Durations) {
    this.exchange = exchange;
    this.durations = durations;
  }
}
