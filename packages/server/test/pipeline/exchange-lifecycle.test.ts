/** The lifecycle of exchanges: each event in each phase, and what the deadline, the admission and the budget of bodies have after it. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { HeaderFields } from '@specwright/contract';
import { Admission } from '../../src/pipeline/admission/admission.ts';
import { BodyBudget } from '../../src/pipeline/body/body-budget.ts';
import { ExchangeState, INITIAL_HEADERS, type Exchange } from '../../src/pipeline/exchange.ts';
import { LEGAL_MOVES, type Phase } from '../../src/pipeline/phases.ts';
import { ExchangeLifecycle } from '../../src/pipeline/exchange-lifecycle.ts';

const TIMEOUT_MS = 1000;
const BODY_BYTES = 100;
const PHASES = Object.keys(LEGAL_MOVES) as Phase[];
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log } as never;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

/** An exchange of an operation that has a slot, a deadline, an upload and bytes of the budget. */
function startExchange() {
  const budget = new BodyBudget(1000, TIMEOUT_MS);
  const admission = new Admission({ requestTimeoutMs: TIMEOUT_MS, log, onFull: () => undefined });
  const lifecycle = new ExchangeLifecycle({ requestTimeoutMs: TIMEOUT_MS, admission, log });
  const answers: unknown[] = [];
  const endWithError = async (_: Exchange, error: unknown) => void answers.push(error);
  const callers = { watch: () => () => undefined };
  const now = () => new Date();
  const service = { base: '', log, now, encode: undefined, bucketOf: () => 'account', boundLookUp: undefined, callers, endWithError };
  const found = { operation: undefined, headers: INITIAL_HEADERS, pathParameters: {} };
  const request = { headers: {}, socket: {} } as never;
  const response = { once: () => undefined, destroyed: false } as never;
  const exchange = new ExchangeState(request, response, { service, base: '', path: '/', search: '', found }, 'id');
  Object.assign(exchange, { headers: new HeaderFields() });
  void lifecycle.start('arrival')(exchange);
  void admission.admit()(exchange);
  const lease = budget.open(BODY_BYTES);
  void budget.acquire(lease, BODY_BYTES);
  let isDiscarded = false;
  // An upload that is destroyed ends its waiting.
  const discard = () => {
    isDiscarded = true;
    lifecycle.resume(exchange);
  };
  Object.assign(exchange, { incoming: { lease, stream: { discard } } });
  exchange.onRelease('work', () => budget.release(lease));
  exchange.onRelease('work', discard);
  const held = () => ({
    deadline: exchange.slot !== -1,
    running: admission.counts.running,
    bytes: budget.used,
    upload: !isDiscarded,
  });
  return { exchange, lifecycle, admission, held, answers };
}

type Started = ReturnType<typeof startExchange>;

/** Brings an exchange to a phase by the events that lead there. */
const ENTER = {
  admitted: ({ lifecycle, exchange }: Started) => void lifecycle.acquireSlot(exchange),
  receiving: (started: Started) => {
    ENTER.admitted(started);
    started.lifecycle.awaitClient(started.exchange);
  },
  handling: (started: Started) => {
    ENTER.admitted(started);
    started.exchange.move('handling');
  },
  waiting: (started: Started) => {
    ENTER.receiving(started);
    started.exchange.move('waiting');
  },
  expired: async (started: Started) => {
    ENTER.handling(started);
    await EVENTS['times out']();
    await settle();
  },
  sending: (started: Started) => {
    ENTER.handling(started);
    started.exchange.move('sending');
  },
  ended: (started: Started) => {
    ENTER.handling(started);
    started.lifecycle.end(started.exchange);
  },
} satisfies Record<Phase, (started: Started) => void | Promise<void>>;

const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const EVENTS = {
  'waits for its client': ({ lifecycle, exchange }: Started) => lifecycle.awaitClient(exchange),
  'has its whole body': ({ lifecycle, exchange }: Started) => lifecycle.received(exchange),
  'goes on with its client': ({ lifecycle, exchange }: Started) => lifecycle.resume(exchange),
  'is handled': ({ exchange }: Started) => void exchange.move('handling'),
  'is answered': ({ exchange }: Started) => void exchange.move('sending'),
  'has run all steps': ({ lifecycle, exchange }: Started) => lifecycle.end(exchange),
  'is refused': ({ lifecycle, exchange }: Started) => lifecycle.fail(exchange, new Error('refused')),
  'times out': () => jest.advanceTimersByTimeAsync(TIMEOUT_MS + 1),
};

const RUNNING = { deadline: true, running: 1, bytes: BODY_BYTES, upload: true };
const WAITING = { ...RUNNING, deadline: false, running: 0 };
const ENDED = { deadline: false, running: 0, bytes: 0, upload: false };
/** Answered at its deadline: the work of the handler goes on. */
const LATE = { ...RUNNING, deadline: false, upload: false };

/** The phase after each event, by the phase before it, and what the exchange holds then. What is not listed changes nothing. */
const EFFECTS: Readonly<Record<Phase, Partial<Record<keyof typeof EVENTS, readonly [Phase, object]>>>> = {
  receiving: {
    'has its whole body': ['admitted', RUNNING],
    'goes on with its client': ['admitted', RUNNING],
    'is handled': ['handling', WAITING],
    'is answered': ['sending', WAITING],
    'has run all steps': ['ended', ENDED],
    'is refused': ['ended', ENDED],
  },
  admitted: {
    'waits for its client': ['receiving', WAITING],
    'is handled': ['handling', RUNNING],
    'is answered': ['sending', RUNNING],
    'has run all steps': ['ended', ENDED],
    'is refused': ['ended', ENDED],
    'times out': ['expired', LATE],
  },
  handling: {
    'waits for its client': ['receiving', WAITING],
    'is answered': ['sending', RUNNING],
    'has run all steps': ['ended', ENDED],
    'is refused': ['ended', ENDED],
    'times out': ['expired', LATE],
  },
  waiting: {
    'goes on with its client': ['admitted', RUNNING],
    'is answered': ['sending', WAITING],
    'has run all steps': ['ended', ENDED],
    'is refused': ['ended', ENDED],
  },
  expired: {
    'has run all steps': ['ended', ENDED],
    'is refused': ['ended', ENDED],
  },
  sending: {
    'has run all steps': ['ended', ENDED],
    'is refused': ['ended', ENDED],
    'times out': ['sending', { ...RUNNING, deadline: false }],
  },
  ended: {},
};

const PAIRS = PHASES.flatMap((phase) => Object.keys(EVENTS).map((event) => [phase, event as keyof typeof EVENTS] as const));

test.each(PAIRS)('an exchange that is %s and %s', async (phase, event) => {
  const started = startExchange();
  await ENTER[phase](started);
  const before = started.held();
  void EVENTS[event](started);
  await jest.advanceTimersByTimeAsync(0);
  await settle();
  const [next, held] = EFFECTS[phase][event] ?? [phase, before];
  expect([started.exchange.phase, started.held()]).toEqual([next, held]);
});

test.each(PHASES.flatMap((from) => PHASES.map((to) => [from, to] as const)))(
  'moves from %s to %s only if the table has it',
  async (from, to) => {
    const started = startExchange();
    await ENTER[from](started);
    const isLegal = LEGAL_MOVES[from].includes(to);
    expect([started.exchange.move(to), started.exchange.phase]).toEqual([isLegal, isLegal ? to : from]);
  },
);

test('a handler that waits for its client goes on as a handler', () => {
  const { lifecycle, exchange, ...started } = startExchange();
  ENTER.handling({ lifecycle, exchange, ...started });
  lifecycle.awaitClient(exchange);
  lifecycle.resume(exchange);
  expect([exchange.phase, exchange.isHandled, started.held()]).toEqual(['handling', true, RUNNING]);
});

test('a request that was answered at its deadline keeps its slot until its work ends, and neither waits nor is answered again', async () => {
  const started = startExchange();
  const { lifecycle, exchange, admission, answers } = started;
  ENTER.handling(started);
  await jest.advanceTimersByTimeAsync(TIMEOUT_MS + 1);
  await settle();
  expect([exchange.isExpired, answers, admission.counts]).toMatchObject([
    true,
    [{ code: 'service_unavailable' }],
    { running: 1, expired: 1 },
  ]);
  lifecycle.awaitClient(exchange);
  lifecycle.resume(exchange);
  void lifecycle.received(exchange);
  lifecycle.renew(exchange);
  expect(started.held()).toEqual(LATE);
  lifecycle.fail(exchange, new Error('late'));
  expect([answers.length, exchange.phase, started.held(), admission.counts.expired]).toEqual([1, 'ended', ENDED, 0]);
});

test('an exchange has at most 28 fields, one of which is private', () => {
  const { exchange } = startExchange();
  expect(Object.keys(exchange).length + 1).toBeLessThanOrEqual(28);
});
