/** Pipeline step: validates the response of the handler and sends it. */
import type { Exchange, Step } from './exchange.ts';
import { send, validateResponse } from './send-response.ts';
import { sendStreamed, type StreamOptions } from './streams/send-streamed.ts';

export function sendResponse(options: StreamOptions): Step {
  const { mode } = options;
  return (exchange: Exchange) => {
    const { handlerResponse } = exchange;
    if (handlerResponse === undefined) throw new Error('this step must come after callHandler');
    if (handlerResponse.streamed !== undefined) return sendStreamed(exchange, handlerResponse, handlerResponse.streamed, options);
    // What was valid when it was stored is sent, even if the contract has gained a requirement since.
    return send(exchange, validateResponse(exchange, handlerResponse, exchange.isReplay && mode === 'strict' ? 'log' : mode));
  };
}
