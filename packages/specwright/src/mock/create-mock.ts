/** Makes the mock of a contract: the entry `specwright/mock`. */
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract, Mock, MockRequest } from '@specwright/server';
import { listOperations } from '@specwright/contract/document';
import { NoValueError } from '../testing/contract/values/build-options.ts';
import { contractAnswers } from './answer-from-contract.ts';
import { createMockValues } from './mock-values.ts';
import { parsePrefer, PreferError } from './mock-body.ts';
import { MockState } from './state/mock-state.ts';

export interface MockOptions {
  /** Whether what was created, changed and deleted is remembered. Default: `false`. */
  readonly stateful?: boolean;
}

export interface ContractMock extends Mock {
  /** What each operation does, as rows of a table: operation, path, what it does. */
  readonly explain: () => readonly (readonly [operation: string, does: string])[];
}

/** @param contract from `loadContract`. */
export function createMock(
  { document, rateLimitPlans }: Pick<Contract, 'document' | 'rateLimitPlans'>,
  options: MockOptions = {},
): ContractMock {
  const values = createMockValues(document);
  const parts = { document, values, hasLimits: rateLimitPlans !== undefined };
  const answers = new Map(listOperations(document).map((operation) => [operation.id, contractAnswers(parts, operation)]));
  const state: MockState | undefined = options.stateful ? new MockState({ document, values, answers }) : undefined;

  const mock: Mock = async (request) => {
    const found = answers.get(request.operation.id);
    if (found === undefined) throw new Error(`the contract has no operation ${request.operation.id}`);
    try {
      const { delay = 0, ...preferences } = parsePrefer(request.headers['prefer']);
      await drain(request);
      if (delay > 0) await sleep(delay, undefined, { signal: request.signal });
      const isChosen = Object.keys(preferences).length > 0;
      return (isChosen ? undefined : state?.answer(request)) ?? found.answer(request, preferences);
    } catch (error) {
      // A response without an example, of a schema that nothing fits.
      if (error instanceof NoValueError) return { refusal: { code: 'not_implemented', message: error.message } };
      if (!(error instanceof PreferError)) throw error;
      return { refusal: { code: 'invalid_request', message: error.message } };
    }
  };
  return Object.assign(mock, { explain: () => state?.explain() ?? [] });
}

/** Reads a body that arrives while it is answered, so that what is wrong with it is found as a handler would find it. */
async function drain({ input: { body, files = [] } }: MockRequest): Promise<void> {
  for await (const { stream } of files) await finished(stream.resume());
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return;
  const items = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  while ((await items.next()).done !== true);
}
