/** The step that validates requests, without HTTP: what it gives to the validator, and what it says of problems. */
import { expect, test } from '@jest/globals';
import type { ContractOperation, IncomingRequest, RequestValidation } from '@specwright/contract';
import type { Exchange } from '../../src/pipeline/exchange.ts';
import { validateRequest } from '../../src/pipeline/validate-request.ts';

const INPUT = { path: { id: 1 }, query: {}, headers: {}, cookies: {}, body: undefined };

const stepOf = (validate: (request: IncomingRequest) => RequestValidation | Promise<RequestValidation>) =>
  validateRequest({ validateRequest: validate } as unknown as ContractOperation);

const exchangeOf = (search = 'a=1') =>
  ({
    arrival: { found: { pathParameters: { id: '1' } }, search },
    request: { headers: { host: 'x' } },
    body: { name: 'Rex' },
    type: 'application/json',
  }) as unknown as Exchange;

/** The message of the refusal of a request with so many problems, or `undefined`. */
function refusalOf(count: number, length = 1): string | undefined {
  const problems = Array.from({ length: count }, (_, i) => ({ location: `body/${i}`, message: 'x'.repeat(length) }));
  const exchange = exchangeOf();
  try {
    void stepOf(() => ({ input: INPUT, problems }))(exchange);
  } catch (error) {
    expect([error, exchange.input]).toMatchObject([{ code: 'invalid_request' }, undefined]);
    return (error as Error).message;
  }
  expect(exchange.input).toBe(INPUT);
  return undefined;
}

test('all of a request is validated: path, query, headers, body and its media type', () => {
  const given: IncomingRequest[] = [];
  const step = stepOf((request) => {
    given.push(request);
    return { input: INPUT, problems: [] };
  });
  const exchange = exchangeOf();
  void step(exchange);
  void step(exchangeOf(''));
  const { request, body, type } = exchange;
  const path = { id: '1' };
  expect(given).toEqual([
    { path, search: 'a=1', headers: request.headers, body, type },
    { path, search: '', headers: request.headers, body, type },
  ]);
});

test('a request with a problem is refused, also where the validator has to be waited for', async () => {
  expect([refusalOf(0), refusalOf(1)]).toEqual([undefined, 'body/0 x']);
  const later = stepOf(async () => ({ problems: [{ location: 'query/a', message: 'must be integer' }] }) as unknown as RequestValidation);
  await expect(later(exchangeOf())).rejects.toThrow('query/a must be integer');
});

test('the problem of a header that was sent twice says so', () => {
  const rawHeaders = ['Host', 'x', 'Idempotency-Key', 'a', 'idempotency-key', 'b'];
  const problems = ['Idempotency-Key', 'Host'].map((name) => ({ location: `header/${name}`, message: 'is not valid' }));
  const exchange = { ...exchangeOf(), request: { headers: {}, rawHeaders } } as unknown as Exchange;
  expect(() => stepOf(() => ({ input: INPUT, problems }))(exchange)).toThrow(
    'header/Idempotency-Key is not valid: it was sent 2 times; header/Host is not valid',
  );
});

test('a message lists 20 problems, counts those beyond, and is bounded', () => {
  expect(refusalOf(20)).toMatch(/; body\/19 x$/);
  expect(refusalOf(21)).toMatch(/; body\/19 x; and 1 more$/);
  // The validator stops at 50.
  expect(refusalOf(50)).toMatch(/; body\/19 x; and at least 30 more$/);
  expect(refusalOf(20, 10_000)).toHaveLength(4000);
});
