/** Records with versions, as store functions return them. */
import { FrameworkError } from './app-error.ts';

/** A record as the contract declares it. `version` is opaque: it changes with the record, and is the text in its ETag. */
export interface Stored<T> {
  readonly version: string;
  readonly record: T;
}

/** Whether a record of this version may be changed; `undefined` if there is no record. */
export type Precondition = (version: string | undefined) => boolean;

export interface Page {
  /** The last id of the previous page; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** @param stored `undefined` if there is no record. @throws AppError precondition_failed if the precondition does not allow its version. */
export function requireVersion(stored: Stored<unknown> | undefined, precondition: Precondition | undefined): void {
  if (precondition === undefined || precondition(stored?.version)) return;
  throw new FrameworkError('precondition_failed', 'the record is not as header/If-Match or header/If-None-Match asks for');
}
