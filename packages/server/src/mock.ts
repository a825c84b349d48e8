/** The option `mock` of a server: what answers where a handler is not written. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReplyPayload, ContractOperation, ValidInput, Contract } from '@specwright/contract';
import type { FrameworkErrorCode } from '@specwright/contract/runtime';
import type { Exchange } from './pipeline/exchange.ts';

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
