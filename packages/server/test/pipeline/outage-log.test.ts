/** An outage in the log: each reason once in full, then as a number, however many requests it fails. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { FrameworkError } from '@specwright/contract/runtime';
import { withApp } from 'specwright/testing';
import { OutageLog } from '../../src/pipeline/outage-log.ts';
import type { Exchange } from '../../src/pipeline/exchange.ts';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things:
    get:
      operationId: listThings
      responses: { '200': { description: ok } }
`;
const failure = (code: string) => {
  const cause = Object.assign(new Error(`the cause ${code}`), { code });
  return new FrameworkError('service_unavailable', 'the database does not answer', { cause });
};

let fail = () => failure('08006');
const app = withApp(() => serve(YAML, { handlers: { listThings: () => Promise.reject(fail()) } }));
const errors = () => app.log.filter(({ level }) => level === 'error');

test('of fifty requests that fail for one reason the error of one is logged, and of another reason its own', async () => {
  const get = () => fetch(`${app.url}/things`).then(({ status }) => status);
  expect(new Set(await Promise.all(Array.from({ length: 50 }, get)))).toEqual(new Set([503]));
  expect(errors()).toEqual([expect.objectContaining({ operation: 'listThings', message: 'the database does not answer' })]);
  fail = () => failure('53100');
  await get();
  expect(errors()).toHaveLength(2);
});

afterEach(() => void jest.useRealTimers());

test('after ten seconds a line has the number of the others, and the next error is logged in full', () => {
  jest.useFakeTimers();
  const lines: unknown[] = [];
  const log = { error: (...line: unknown[]) => void lines.push(line) };
  const outages = new OutageLog();
  const report = () => outages.report({ log, service: { log } } as unknown as Exchange, failure('08006'));
  for (let i = 0; i < 3; i++) report();
  expect(lines).toHaveLength(1);
  jest.advanceTimersByTime(10_000);
  expect(lines[1]).toEqual([{ count: 2, cause: 'the cause 08006' }, 'the database does not answer, for 2 more requests within 10 s']);
  report();
  expect(lines).toHaveLength(3);
  jest.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(3);
});
