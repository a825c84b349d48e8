/** The bytes that the body of one request has of the budget of all bodies. */
export interface BodyLease {
  /** The most that it may have, in bytes. */
  readonly need: number;
  readonly held: number;
  /** The bucket of the caller. */
  readonly caller: string | undefined;
  /** Whether the connection is closed instead of reading the rest of the body. */
  isRefused: boolean;
}
