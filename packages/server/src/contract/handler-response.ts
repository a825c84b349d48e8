/** A response that a handler has built: a class with a private brand, so that nothing else passes for one. */

/** A response before it is checked and sent. Header values are strings or numbers, the body is a JSON value. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
  /** The media type, where the contract leaves a choice. */
  readonly type: string | undefined;
}

export class Sealed<Op extends string> implements Outgoing {
  // The private member makes the class nominal; `declare` keeps `Op` in the type, so that a reply of another
  // operation does not fit either.
  readonly #sealed = true;
  declare readonly operation: (op: Op) => Op;
  readonly status: number;
  readonly headers: Outgoing['headers'];
  readonly body: unknown;
  readonly type: string | undefined;

  private constructor(status: number, payload: Partial<Outgoing>) {
    this.status = status;
    this.headers = payload.headers ?? {};
    this.body = payload.body;
    this.type = payload.type;
  }

  /** The `reply` function that handlers are given. Only the request line calls this. */
  static readonly reply = (status: number, payload: Partial<Outgoing> = {}): Sealed<never> => new Sealed(status, payload);

  /** Whether a value came from `reply`: the run-time side of the brand, for handlers that were never compiled. */
  static is(value: unknown): value is Sealed<never> {
    return typeof value === 'object' && value !== null && #sealed in value;
  }
}
