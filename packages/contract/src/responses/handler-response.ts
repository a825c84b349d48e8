/** The response of a handler: a class with a private brand, so that only `reply` makes one. */

import type { ByteStream, ItemStream, StreamedBody } from './streamed-body.ts';

/** A response before it is validated and sent. Header values are strings or numbers, the body is a JSON value. */
export interface UnvalidatedResponse {
  readonly status: number;
  /** A list is sent as a field for each: `Set-Cookie` cannot be one field (RFC 6265, section 3). */
  readonly headers: Readonly<Record<string, string | number | bigint | readonly string[] | undefined>>;
  readonly body: unknown;
  /** The media type, if the contract declares several. */
  readonly type: string | undefined;
  /** Of a body that is sent as it comes. */
  readonly streamed?: StreamedBody | undefined;
}

/** What `reply` is given beside the status. */
export type ReplyPayload = Partial<UnvalidatedResponse> & Partial<ByteStream> & Partial<ItemStream>;

export class HandlerResponse<Op extends string> implements UnvalidatedResponse {
  // The private member makes the class nominal; `declare` keeps `Op` in the type, so that a reply of another
  // operation does not fit either.
  readonly #brand = true;
  declare readonly operation: (op: Op) => Op;
  readonly status: number;
  readonly headers: UnvalidatedResponse['headers'];
  readonly body: unknown;
  readonly type: string | undefined;
  readonly streamed: StreamedBody | undefined;

  private constructor(status: number, payload: ReplyPayload) {
    this.status = status;
    this.headers = payload.headers ?? {};
    this.body = payload.body;
    this.type = payload.type;
    this.streamed = payload.stream !== undefined || payload.items !== undefined ? (payload as StreamedBody) : undefined;
  }

  /** The `reply` function that handlers are given. For the pipeline and for tests. */
  static readonly reply = (status: number, payload: ReplyPayload = {}): HandlerResponse<never> => new HandlerResponse(status, payload);

  /** Whether `reply` made a value: the brand at run time, for handlers that were not type-checked. */
  static is(value: unknown): value is HandlerResponse<never> {
    return typeof value === 'object' && value !== null && #brand in value;
  }
}
