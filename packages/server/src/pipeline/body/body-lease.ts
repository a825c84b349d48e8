/** The bytes that the body of one request has of the budget of all bodies. */
export type BodyLease = Readonly<Omit<Lease, 'order' | 'isRefused'>> & Pick<Lease, 'isRefused'>;

/** As the budget changes it. */
export interface Lease {
  readonly order: number;
  readonly caller: string | undefined;
  /** The most that it may have, in bytes. */
  need: number;
  held: number;
  /** Whether the connection is closed instead of reading the rest of the body. */
  isRefused: boolean;
}

/** What needs no more does not wait behind what needs more, in bytes. */
const SMALL_BYTES = 256 * 1024;

export const isSmall = ({ need }: Lease): boolean => need <= SMALL_BYTES;
