/** The lifecycle of an exchange: its phases, and the legal moves between them. */

/**
 * `receiving`: the client sends, or its request is looked at; it has no slot. `admitted`: it has one. `handling`: the handler was called.
 * `sending`: its answer was begun, or decided (an error, a deadline that has passed); a handler may still work. `ended`: nothing of it
 * is under way, but for a response that is still being read by the client.
 */
export type Phase = 'receiving' | 'admitted' | 'handling' | 'sending' | 'ended';

/** A handler that waits for its client is `receiving` again, and goes on with `handling`. */
export const LEGAL_MOVES: Readonly<Record<Phase, readonly Phase[]>> = {
  receiving: ['admitted', 'handling', 'sending', 'ended', 'receiving'],
  admitted: ['handling', 'receiving', 'sending', 'ended'],
  handling: ['sending', 'ended', 'receiving'],
  sending: ['ended'],
  ended: [],
};
