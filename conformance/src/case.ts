/** A case: the bytes of a request, the answers of a server that keeps the contract, and the sentence that says so. */

/** Where the expectation of a case comes from. */
export interface Source {
  /** Such as `OpenAPI 3.0.4` or `RFC 9110`. */
  readonly standard: string;
  /** The section, such as `4.8.12.4` or `15.5.6`. */
  readonly section: string;
  /** The sentence of the standard, word by word or shortened by `...`. */
  readonly sentence: string;
  /** The published suite, example or table that the case was taken from, if it is not ours. */
  readonly from?: string;
}

/** What a handler understood of a request: only the parts that the operation declares. Bytes are `{ bytes: <base64> }`. */
export interface Received {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * An answer that keeps the contract.
 *
 * - `received`: the handler ran. Its echo has these values with their types; numbers are compared by their exact decimal value.
 * - `refused`: the handler did not run: one of these statuses (4xx), with these header fields.
 * - `answered`: what the handler returned, or what the server makes for it: one of these statuses, these header fields and this body.
 *   A header of `null` must be absent, one of `'*'` present, and any other has to be equal.
 */
export type Outcome =
  | { readonly kind: 'received'; readonly received: Received | 'anything' }
  | { readonly kind: 'refused'; readonly statuses: readonly number[]; readonly headers?: ExpectedHeaders }
  | { readonly kind: 'answered'; readonly statuses: readonly number[]; readonly headers?: ExpectedHeaders; readonly body?: ExpectedBody };

export type ExpectedHeaders = Readonly<Record<string, string | null>>;
export type ExpectedBody = { readonly json: unknown } | { readonly text: string } | { readonly jsonText: string };

export interface Case {
  /** Unique in the suite: `group/operation/what-is-tried`. */
  readonly id: string;
  readonly operationId: string;
  /** The request, one character for each byte (latin1). It asks the server to close the connection. */
  readonly request: string;
  /** One of these answers keeps the contract. */
  readonly accepts: readonly Outcome[];
  readonly source: Source;
}

/** A contract, and the cases that are sent to its operations. */
export interface Group {
  readonly name: string;
  /** An OpenAPI document. Each operation has an operationId that begins with `echo` or `answer`, which names its handler. */
  readonly document: Document;
  readonly cases: readonly Case[];
}

export interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components?: Record<string, unknown>;
  readonly security?: unknown;
}
