/** Pipeline step: answers from a mock where the handler is not written, or the security scheme of the operation. */
import type { IncomingHttpHeaders } from 'node:http';
import { HandlerResponse, type ReplyPayload, type ContractOperation, type ValidInput, type Contract } from '@specwright/contract';
import { FrameworkError, isAppError, type FrameworkErrorCode } from '@specwright/contract/runtime';
import { acceptResponse } from './call-handler.ts';
import type { Exchange, Sets } from './exchange.ts';
import type { Step } from './step.ts';

/** What a mock is told of a request that was admitted and is valid. */
export interface MockRequest {
  readonly operation: ContractOperation;
  readonly input: ValidInput;
  readonly headers: IncomingHttpHeaders;
  readonly now: Date;
  /** Aborted when the response is no longer wanted. */
  readonly signal: AbortSignal;
}

/** A response, which is validated as that of a handler is; or why there is none. */
export type MockResponse =
  | (ReplyPayload & { readonly status: number; readonly refusal?: undefined })
  | { readonly refusal: { readonly code: FrameworkErrorCode; readonly message: string } };

/** Answers for the operations of a contract that have no handler yet: `createMock` of `specwright/mock`. */
export type Mock = (request: MockRequest) => MockResponse | Promise<MockResponse>;

export const MOCK_HEADER = 'X-Mock';
/** The request header by which a client chooses the response of a mock (RFC 7240). */
export const PREFER_HEADER = 'Prefer';

type HandlerFields = 'handlerResponse' | 'isHandled' | 'source';

/** @param call the step that calls the handler. @returns it alone without a mock. */
export function mockMissing(operation: ContractOperation, call: Step<HandlerFields>, mock: Mock | undefined): Step<HandlerFields> {
  if (mock === undefined) return call;
  return async (exchange) => {
    try {
      await call(exchange);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'not_implemented') throw error;
      await answerFromMock(operation, exchange, mock);
    }
  };
}

async function answerFromMock(operation: ContractOperation, exchange: Sets<HandlerFields>, mock: Mock): Promise<void> {
  addMockHeader(exchange);
  const { request, input, now, signal } = exchange;
  if (input === undefined) throw new Error('this step must come after validateRequest');
  const response = await mock({ operation, input, headers: request.headers, now, signal });
  exchange.isHandled = response.refusal === undefined;
  // Refused before a handler, as it were: sent whether the contract declares the status or not.
  if (response.refusal !== undefined) throw new FrameworkError(response.refusal.code, response.refusal.message);
  acceptResponse(exchange, HandlerResponse.reply(response.status, response));
}

/** Pipeline step: marks every response, for a server that is nothing but a mock. */
export function addMockHeader({ headers }: Pick<Exchange, 'headers'>): void {
  headers.set(MOCK_HEADER, 'true');
}

const MOCK_MODULE = 'specwright/mock';

interface MockModule {
  readonly createMock: (contract: Contract) => Mock;
}

/**
 * The option `mock` of a server: `--mock-missing` of a project.
 *
 * @throws Error if `specwright` is not installed.
 */
export async function loadMock(contract: Contract): Promise<Mock> {
  try {
    import.meta.resolve(MOCK_MODULE);
  } catch (error) {
    throw new Error('--mock-missing needs specwright, which is not installed: npm install --save-dev specwright', {
      cause: error,
    });
  }
  const { createMock } = (await import(MOCK_MODULE)) as MockModule;
  return createMock(contract);
}
