/** What a contract says and the server does not serve as written: as it is found, and as it is listed. */
import type { DocumentPath } from './document/visit-schemas.ts';

/** A feature of a contract that is not served as written. */
export interface UnsupportedFeature {
  /** The file, if it is not that of the contract. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  /** None for a feature of a component, which several operations may use. */
  readonly operationId: string | undefined;
  readonly feature: string;
  /** What the server does instead. */
  readonly behavior: string;
  /** What it has in common with others of its kind: a sentence without names. */
  readonly construct: string;
  /** Whether it is an operation that no request reaches. */
  readonly isUnreached: boolean;
  /** What to change in the contract; none where nothing is wrong with it, or the behavior says so. */
  readonly fix?: string | undefined;
}

/** A feature at a path. `construct` is given if `feature` or `behavior` has names or values in it. */
export interface Feature {
  readonly path: DocumentPath;
  readonly feature: string;
  readonly behavior: string;
  readonly construct?: string;
  readonly isUnreached?: boolean;
  readonly fix?: string;
}
