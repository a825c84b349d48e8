/** Pipeline step: calls the handler. It gets its input, `reply` and a context; those of Express only where it asks for them (`express`). */
import { Readable } from 'node:stream';
import { HandlerResponse, isByteStream, isThenable, type StreamedBody, type UnvalidatedResponse } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import type { Log } from '../log/logger.ts';
import type { Exchange, Sets } from './exchange.ts';
import type { Step } from './step.ts';
import type * as Replies from './streams/reply-source.ts';

/** A handler of any operation: once the pipeline is composed, the types of operations are no longer needed. */
export type AnyHandler = (input: never, reply: never, context: never) => unknown;

/** A class, because what most handlers do not use (`log`, `signal`) is made when it is read. */
class HandlerContext {
  readonly db: unknown;
  readonly requestId: string;
  readonly caller: unknown;
  readonly limits: Exchange['rateLimit'];
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, db: unknown) {
    this.db = db;
    this.requestId = exchange.id;
    this.caller = exchange.caller;
    this.limits = exchange.rateLimit;
    this.#exchange = exchange;
  }

  /** @throws TypeError for what is no context of a request. */
  static readonly exchangeOf = (context: object): Exchange => {
    if (!(#exchange in context)) throw new TypeError('an Express handler needs a request: call it through a server');
    return context.#exchange;
  };

  get now(): Date {
    return this.#exchange.now;
  }

  get log(): Log {
    return this.#exchange.log;
  }

  get traceparent(): string | undefined {
    return this.#exchange.traceparent;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** The exchange of a handler's context, for handlers that need the request itself. */
export const { exchangeOf } = HandlerContext;

type ReplySource = typeof Replies.ReplySource;

/**
 * Takes what a handler has returned: what is a stream of it is closed with the request, however that ends, or has ended.
 *
 * @param ReplySource of a server with operations that declare streams; on others a stream is a mistake, which it is loaded for.
 */
export function acceptResponse(
  exchange: Sets<'handlerResponse' | 'source'>,
  response: UnvalidatedResponse,
  ReplySource: ReplySource | undefined,
): void | Promise<void> {
  exchange.handlerResponse = response;
  const { streamed } = response;
  if (streamed === undefined) return;
  if (ReplySource !== undefined) return acceptStream(exchange, streamed, ReplySource);
  const given = isByteStream(streamed) ? streamed.stream : streamed.items;
  // Without a listener an error of it would end the process meanwhile.
  if (given instanceof Readable) given.on('error', () => undefined);
  return import('./streams/reply-source.ts').then((loaded) => acceptStream(exchange, streamed, loaded.ReplySource));
}

function acceptStream(exchange: Sets<'source'>, streamed: StreamedBody, ReplySource: ReplySource): void {
  const source = new ReplySource(streamed, (err) =>
    exchange.log.error({ operation: exchange.operation?.id, err }, 'the stream of the response could not be closed'),
  );
  exchange.source = source;
  exchange.onRelease('response', () => source.close());
}

interface HandlerParts {
  /** What `context.db` is. */
  readonly db?: unknown;
  readonly ReplySource?: ReplySource | undefined;
}

export function callHandler(id: string, handler: AnyHandler, { db, ReplySource }: HandlerParts): Step<'handlerResponse' | 'source'> {
  const accept = (exchange: Sets<'handlerResponse' | 'source'>, response: unknown): void | Promise<void> => {
    if (!HandlerResponse.is(response)) throw new TypeError(`the handler of ${id} must return what reply(...) returns`);
    return acceptResponse(exchange, response, ReplySource);
  };
  return (exchange) => {
    const unimplementedScheme = exchange.challenges?.unimplementedScheme;
    if (unimplementedScheme !== undefined)
      throw new FrameworkError('not_implemented', `the security scheme ${unimplementedScheme} is not implemented yet`);
    exchange.move('handling');
    const returned = handler(exchange.input as never, HandlerResponse.reply as never, new HandlerContext(exchange, db) as never);
    return isThenable(returned) ? Promise.resolve(returned).then((response) => accept(exchange, response)) : accept(exchange, returned);
  };
}
