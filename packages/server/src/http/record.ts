/** What every store function answers with: the record as the contract has it, and its version. */
import { FrameworkError } from '../errors.ts';

/** `version` is opaque: it changes whenever the record does, and is the text within the record's ETag. */
export interface Stored<T> {
  readonly version: string;
  readonly record: T;
}

/** A condition on the version that a record must have to be changed (`If-Match`). */
export type Precondition = (version: string) => boolean;

/** Where a page starts and how many records it has at the most. */
export interface Page {
  /** The last id of the page before; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** @throws AppError precondition_failed if there is a condition and the record does not meet it. */
export function requireVersion(stored: Stored<unknown>, precondition: Precondition | undefined): void {
  if (precondition !== undefined && !precondition(stored.version)) {
    throw new FrameworkError('precondition_failed', 'the record has changed since the version in header/If-Match');
  }
}
