/** Step 8: calls the handler. It sees its input, a `reply` and the context, never the request or the response. */
import type { RequestHandler } from 'express';
import { HandlerResponse } from '../contract/handler-response.ts';
import { FrameworkError } from '../errors.ts';

/** A handler of whichever operation: the types that tell them apart are spent once the line is composed. */
export type AnyHandler = (input: never, reply: never, context: never) => unknown;

export function callHandler(id: string, handler: AnyHandler): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    if (exchange.unimplementedScheme !== undefined)
      throw new FrameworkError(
        'not_implemented',
        `the security scheme ${exchange.unimplementedScheme} is not written yet: src/security.ts`,
      );
    const context = { requestId: exchange.id, now: exchange.now, caller: exchange.caller, limits: exchange.rateLimit };
    const outgoing = await handler(exchange.input as never, HandlerResponse.reply as never, context as never);
    if (!HandlerResponse.is(outgoing)) throw new TypeError(`the handler of ${id} did not return what reply(...) made`);
    exchange.handlerResponse = outgoing;
    next();
  };
}
