/** The trace of a request without an SDK of OpenTelemetry: its client's, in the log and for the handler; invalid headers are ignored. */
import { expect, test } from '@jest/globals';
import type { HandlerResponse } from '@specwright/server';
import { until } from 'specwright/testing';
import { parseTraceparent } from '../../src/http/traceparent.ts';
import { traceRequests } from '../../src/pipeline/context/trace-requests.ts';
import { serve } from '../support/serve.ts';

const VALID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test.each([
  [VALID, VALID],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'],
  // Of a later version: what is known of it (section 4.3).
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-new', VALID],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', undefined],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', undefined],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', undefined],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', undefined],
  [`${VALID}0`, undefined],
  ['', undefined],
])('parses %s', (header, expected) => expect(parseTraceparent(header)).toBe(expected));

test('without an SDK there is no step for traces', () => {
  const handle = () => undefined;
  expect(traceRequests({ untraced: new Set(), trustProxy: undefined })(handle)).toBe(handle);
});

test('the trace of the client is in every line of the log, and the handler gets it', async () => {
  const seen: unknown[] = [];
  const { url, close, log } = await serve(`paths: { /things: { get: { operationId: op, responses: { '204': { description: none } } } } }`, {
    handlers: {
      op: (
        _input: unknown,
        reply: typeof HandlerResponse.reply,
        context: { log: { info(fields: object, message: string): void }; traceparent?: string },
      ) => {
        context.log.info({}, 'from the handler');
        seen.push(context.traceparent);
        return reply(204);
      },
    },
  });
  await fetch(`${url}/things`, { headers: { traceparent: VALID } });
  await fetch(`${url}/things`, { headers: { traceparent: 'nonsense' } });
  await until(async () => log.filter(({ message }) => message === 'answered').length === 2);
  await close();
  expect(seen).toEqual([VALID, undefined]);
  const fields = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' };
  expect(log.filter(({ trace_id }) => trace_id !== undefined)).toMatchObject([
    { ...fields, message: 'from the handler' },
    { ...fields, message: 'answered' },
  ]);
});
