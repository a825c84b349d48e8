/** Pipeline step: answers from a mock where the handler is not written, or the security scheme of the operation. */
import { HandlerResponse, type ContractOperation, type UnvalidatedResponse } from '@specwright/contract';
import { FrameworkError, isAppError } from '@specwright/contract/runtime';
import { addMockHeader, type Mock } from '../mock.ts';
import { acceptResponse } from './call-handler.ts';
import type { Sets } from './exchange.ts';
import type { Step } from './step.ts';

type HandlerFields = 'handlerResponse' | 'isHandled' | 'source';

/** @param call the step that calls the handler. @param ReplySource as `acceptResponse` has it. */
export function mockMissing(
  operation: ContractOperation,
  call: Step<HandlerFields>,
  mock: Mock,
  ReplySource: Parameters<typeof acceptResponse>[2],
): Step<HandlerFields> {
  return async (exchange) => {
    try {
      await call(exchange);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'not_implemented') throw error;
      await acceptResponse(exchange, await mockedResponse(operation, exchange, mock), ReplySource);
    }
  };
}

async function mockedResponse(operation: ContractOperation, exchange: Sets<HandlerFields>, mock: Mock): Promise<UnvalidatedResponse> {
  addMockHeader(exchange);
  const { request, input, now, signal } = exchange;
  if (input === undefined) throw new Error('this step must come after validateRequest');
  const response = await mock({ operation, input, headers: request.headers, now, signal });
  exchange.isHandled = response.refusal === undefined;
  // Refused before a handler, as it were: sent whether the contract declares the status or not.
  if (response.refusal !== undefined) throw new FrameworkError(response.refusal.code, response.refusal.message);
  return HandlerResponse.reply(response.status, response);
}
