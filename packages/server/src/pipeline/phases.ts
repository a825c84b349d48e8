/** The phases of an exchange, and the legal moves between them: the one state machine of a request. */

/**
 * `receiving`: the client sends, or its request is looked at. `waiting`: for a slot. `admitted`: it has what it waited for.
 * `handling`: the handler was called. `sending`: its answer was begun, or decided, as by an error. `expired`: it was answered at its
 * deadline, and no further step runs, but a handler may still work. `ended`: nothing of it is under way, but for a response that is
 * still being read by the client.
 */
export type Phase = 'receiving' | 'waiting' | 'admitted' | 'handling' | 'sending' | 'expired' | 'ended';

/** A handler that waits for its client is `receiving` again, and goes on with `handling`. */
export const LEGAL_MOVES: Readonly<Record<Phase, readonly Phase[]>> = {
  receiving: ['waiting', 'admitted', 'handling', 'sending', 'expired', 'ended', 'receiving'],
  waiting: ['admitted', 'sending', 'expired', 'ended'],
  admitted: ['handling', 'receiving', 'sending', 'expired', 'ended'],
  handling: ['sending', 'expired', 'ended', 'receiving'],
  sending: ['ended'],
  expired: ['ended'],
  ended: [],
};
