/** Statements are spans while a request is traced: each ends, and one that fails says why. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { connect } from '@specwright/postgres';
import { createDatabase, withFixture } from 'specwright/testing';

const database = withFixture(
  () => createDatabase({ schema: 'empty' }),
  (created) => created.drop(),
);

interface Recorded {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  status?: unknown;
  hasEnded: boolean;
}

const spans: Recorded[] = [];
const request = { isRecording: () => true } as Span;
let active = ROOT_CONTEXT;

function startSpan(name: string, { attributes = {} }: { attributes?: object } = {}): Span {
  const recorded: Recorded = { name, attributes: { ...attributes }, hasEnded: false };
  spans.push(recorded);
  const span = {
    setAttribute: (key: string, value: unknown) => ((recorded.attributes[key] = value), span),
    setStatus: (status: unknown) => ((recorded.status = status), span),
    end: () => (recorded.hasEnded = true),
  };
  return span as unknown as Span;
}

beforeAll(() => {
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer });
  const run = (_: unknown, work: (...args: unknown[]) => unknown, self: unknown, ...args: unknown[]) => work.apply(self, args);
  context.setGlobalContextManager({
    active: () => active,
    with: run as never,
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
});
afterAll(() => {
  trace.disable();
  context.disable();
});

test('a statement is a span that ends, with the code of its failure', async () => {
  const db = connect({ url: database.url, pool: 1 });
  try {
    await db.raw('SELECT 0');
    expect(spans).toEqual([]);
    active = trace.setSpan(ROOT_CONTEXT, request);
    await db.raw('SELECT ?::int', [1]);
    await expect(db.raw('SELECT 1 / ?::int', [0])).rejects.toThrow('division by zero');
    active = ROOT_CONTEXT;
    expect(spans).toMatchObject([
      { name: 'SELECT', attributes: { 'db.system.name': 'postgresql' }, hasEnded: true },
      {
        attributes: { 'db.response.status_code': '22012', 'error.type': '22012' },
        status: { code: SpanStatusCode.ERROR },
        hasEnded: true,
      },
    ]);
    expect(spans[0]?.status).toBeUndefined();
  } finally {
    await db.destroy();
  }
});
