/** Step 10: calls the handler. It receives its input, a `reply` and the context, never the request or the response. */
import { HandlerResponse } from '../contract/handler-response.ts';
import { FrameworkError } from '../errors.ts';
import type { Step } from './exchange.ts';

/** A handler of whichever operation: the types that tell them apart are spent once the pipeline is composed. */
export type AnyHandler = (input: never, reply: never, context: never) => unknown;

export function callHandler(id: string, handler: AnyHandler): Step {
  return async (exchange) => {
    if (exchange.unimplementedScheme !== undefined)
      throw new FrameworkError(
        'not_implemented',
        `the security scheme ${exchange.unimplementedScheme} is not written yet: src/security.ts`,
      );
    const context = { requestId: exchange.id, now: exchange.now, caller: exchange.caller, limits: exchange.rateLimit };
    const response = await handler(exchange.input as never, HandlerResponse.reply as never, context as never);
    if (!HandlerResponse.is(response)) throw new TypeError(`the handler of ${id} did not return what reply(...) made`);
    exchange.handlerResponse = response;
  };
}
