/** Pipeline step: calls the handler. It gets its input, `reply` and a context, never the request or the response of Express. */
import { HandlerResponse } from '../contract/handler-response.ts';
import { FrameworkError } from '../errors.ts';
import type { Step } from './exchange.ts';

/** A handler of any operation: once the pipeline is composed, the types of operations are no longer needed. */
export type AnyHandler = (input: never, reply: never, context: never) => unknown;

export function callHandler(id: string, handler: AnyHandler): Step {
  return async (exchange) => {
    if (exchange.unimplementedScheme !== undefined)
      throw new FrameworkError('not_implemented', `the security scheme ${exchange.unimplementedScheme} is not implemented yet`);
    const context = { requestId: exchange.id, now: exchange.now, caller: exchange.caller, limits: exchange.rateLimit };
    const response = await handler(exchange.input as never, HandlerResponse.reply as never, context as never);
    if (!HandlerResponse.is(response)) throw new TypeError(`the handler of ${id} must return what reply(...) returns`);
    exchange.handlerResponse = response;
  };
}
