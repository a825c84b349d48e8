/** Admission, with a clock and without HTTP: who runs, who waits, and who is refused when more is asked than can run. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startAdmission, TIMEOUT_MS, type Sent } from '../support/admission.ts';

/** At first so many run at once; an account without a slot gets one of a few more. */
const SLOTS = 10;
const ALL_SLOTS = 13;
/** What is done in 0.4 of the deadline: requests of 10 ms in 10 slots. */
const QUEUE = 400;
/** How many answers may be kept back. */
const HELD = 2000;

let now: number;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

const states = (requests: readonly Sent[]) => requests.map(({ state }) => state());
const count = (requests: readonly Sent[], state: string) => states(requests).filter((one) => one === state).length;
/** Waits until resolved promises have called back. */
const turn = () => new Promise(setImmediate);

describe('slots', () => {
  test('are for as many requests as may run; the next one waits until one is answered', async () => {
    const { admission, end, send, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    const next = send('a');
    expect([admission.counts.running, next.state()]).toEqual([SLOTS, 'waiting']);
    end(first);
    await turn();
    expect([admission.counts.running, next.state(), next.outcome]).toEqual([SLOTS, 'running', 'go']);
  });

  test('go to those that wait, in their order: a new request does not overtake them', () => {
    const { end, sendMany } = startAdmission();
    const [first, second] = sendMany(SLOTS, 'a') as [Sent, Sent];
    const waiting = sendMany(2, 'a');
    end(first);
    const [late] = sendMany(1, 'a');
    expect(states([...waiting, late as Sent])).toEqual(['running', 'waiting', 'waiting']);
    end(second);
    expect(states([...waiting, late as Sent])).toEqual(['running', 'running', 'waiting']);
  });

  test('that become free while a caller is looked up are taken at once', () => {
    const { arrive, authenticate, end, sendMany } = startAdmission();
    const running = sendMany(SLOTS, 'a');
    const sent = arrive('of a');
    running.slice(1).forEach(end);
    expect(authenticate(sent, 'a').state()).toBe('running');
  });

  test('are not for clients that are gone, which count as refused', async () => {
    const { admission, end, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    const [gone, next] = sendMany(2, 'a') as [Sent, Sent];
    Object.assign(gone.exchange.response, { destroyed: true });
    end(first);
    await turn();
    expect([states([gone, next]), gone.outcome]).toEqual([['ended', 'running'], 'service_unavailable']);
    expect(admission.counts).toMatchObject({ running: SLOTS, waiting: 0, refused: 1 });
  });

  test('are not for requests that were answered while they waited, whose steps end', async () => {
    const { end, expire, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    const [late, next] = sendMany(2, 'a') as [Sent, Sent];
    expire(late);
    end(first);
    await turn();
    expect([late.state(), late.outcome, next.state()]).toEqual(['expired', 'go', 'running']);
  });

  test('are not for requests that have waited for half of their deadline', async () => {
    const { end, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    const [old] = sendMany(1, 'a') as [Sent];
    now = 1;
    const [young] = sendMany(1, 'a') as [Sent];
    now = TIMEOUT_MS / 2 + 1;
    end(first);
    await turn();
    expect([old.state(), old.outcome, young.state()]).toEqual(['ended', 'service_unavailable', 'running']);
  });

  test('are those of expired requests until their work ends, and room for no more than the others do is in the queue', () => {
    const { admission, end, expire, sendMany } = startAdmission();
    const expired = sendMany(SLOTS, 'a');
    now = TIMEOUT_MS;
    expired.forEach(expire);
    expect(admission.counts).toMatchObject({ running: SLOTS, expired: SLOTS });
    expect(sendMany(1, 'a')[0]?.outcome).toBe('service_unavailable');
    expired.forEach(end);
    expect(admission.counts).toMatchObject({ running: 0, expired: 0 });
  });

  test('are not for requests whose caller was found when half of their deadline was over', async () => {
    const { arrive, authenticate, end, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    const sent = arrive('of a');
    now = TIMEOUT_MS / 2 + 1;
    authenticate(sent, 'a');
    end(first);
    await turn();
    expect(sent.outcome).toBe('service_unavailable');
  });

  test('are given back by a client that is still sending its body, and needed when that has arrived', () => {
    const { admission, follow, lifecycle, sendMany } = startAdmission();
    const [slow] = sendMany(SLOTS, 'a') as [Sent];
    lifecycle.awaitClient(slow.exchange);
    expect(admission.counts.running).toBe(SLOTS - 1);
    follow(slow, () => lifecycle.received(slow.exchange));
    expect([admission.counts.running, slow.state()]).toEqual([SLOTS, 'running']);
    lifecycle.awaitClient(slow.exchange);
    const [other] = sendMany(1, 'a') as [Sent];
    follow(slow, () => lifecycle.received(slow.exchange));
    expect([other.state(), slow.state()]).toEqual(['running', 'waiting']);
  });

  test('are given back once, however often a request is answered', () => {
    const { admission, end, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    for (let i = 0; i < 3; i++) end(first);
    expect(admission.counts.running).toBe(SLOTS - 1);
  });

  test('become more while requests that wait last no longer than on a quiet server', () => {
    const { admission, end, send, sendMany } = startAdmission();
    for (let i = 0; i < 10; i++) {
      const quiet = send('a');
      now += 10;
      end(quiet);
    }
    const sent = sendMany(2 * SLOTS, 'a').slice(0, SLOTS);
    now += 10;
    sent.forEach(end);
    expect(admission.counts.limit).toBeGreaterThan(SLOTS);
  });
});

test('the slots do not become more while no request waits', () => {
  const { admission, send, end } = startAdmission();
  for (let i = 0; i < 100; i++) {
    const quiet = send('a');
    now += 10;
    end(quiet);
  }
  expect(admission.counts.limit).toBe(SLOTS);
});

test('the slots become more by what an operation lasts with few others, not by what it lasts with many', () => {
  const { admission, send, sendMany, end } = startAdmission();
  const last = (ms: number, requests: readonly Sent[]) => {
    now += ms;
    requests.forEach(end);
  };
  last(10, [send('a')]);
  // Those that end last have few others beside them, but had many before.
  for (const one of sendMany(SLOTS, 'a')) last(20, [one]);
  last(100, sendMany(2 * SLOTS, 'a').slice(0, SLOTS));
  expect(admission.counts.limit).toBe(SLOTS);
});

describe('an account without a slot', () => {
  test('gets one of a few more at once, however many requests of another account wait', () => {
    const { admission, send, sendMany } = startAdmission();
    sendMany(SLOTS + 50, 'a');
    expect(send('b').state()).toBe('running');
    expect(send('b').state()).toBe('waiting');
    expect(admission.counts.running).toBe(SLOTS + 1);
  });

  test('has one from the moment at which its caller is found, even if others were compared with it before', () => {
    const { arrive, authenticate, send, sendMany } = startAdmission();
    const first = arrive('of b');
    sendMany(SLOTS - 1, 'a');
    expect(send('c').state()).toBe('running');
    authenticate(first, 'b');
    expect(send('b').state()).toBe('waiting');
  });

  test('waits if these are taken, too', () => {
    const { send, sendMany } = startAdmission();
    sendMany(SLOTS, 'a');
    expect(['b', 'c', 'd', 'e'].map((account) => send(account).state())).toEqual(['running', 'running', 'running', 'waiting']);
  });

  test('waits behind its own requests that wait', () => {
    const { admission, end, send, sendMany } = startAdmission();
    sendMany(SLOTS, 'a');
    const extra = ['b', 'c', 'd'].map((account) => send(account));
    expect(send('e').state()).toBe('waiting');
    extra.forEach(end);
    expect(admission.counts.running).toBe(SLOTS);
    expect(send('e').state()).toBe('waiting');
  });

  test('is told by its caller, not by an address that several share; a request without a caller by its address', () => {
    const { send, sendMany } = startAdmission();
    sendMany(SLOTS, 'a');
    expect([send('b', 'of a').state(), send(undefined, 'of b').state(), send(undefined, 'of b').state()]).toEqual([
      'running',
      'running',
      'waiting',
    ]);
  });
});

describe('the queue', () => {
  test('gives an account as much room as it leaves, or an equal share, and refuses the rest at once', () => {
    const { admission, send, sendMany } = startAdmission();
    for (let i = 0; i < ALL_SLOTS; i++) send(`account ${i}`);
    const waiting = (account: string) => count(sendMany(QUEUE, account), 'waiting');
    // One of three equal shares, and of four: one more account is always thought of.
    const shares = [QUEUE / 2, Math.floor(QUEUE / 3), QUEUE / 4 - 1];
    expect([waiting('a'), waiting('b'), waiting('c')]).toEqual(shares);
    const all = shares.reduce((sum, share) => sum + share);
    expect(admission.counts).toMatchObject({ refused: 3 * QUEUE - all, waiting: all });
  });

  test('has an equal share for an account whose requests come when it has become shorter, as requests last longer', () => {
    const { end, send, sendMany } = startAdmission();
    const [first] = sendMany(SLOTS, 'a') as [Sent];
    const others = ['a', 'b', 'c'].map((account) => sendMany(QUEUE, account));
    now = TIMEOUT_MS / 4;
    end(first);
    const lastsOnAverage = 0.9 * 10 + 0.1 * now;
    const shorter = (QUEUE * 10) / lastsOnAverage;
    expect(count(others.flat(), 'waiting')).toBeGreaterThan(2 * shorter);
    expect(send('c').outcome).toBe('service_unavailable');
    expect([send('d').state(), count(sendMany(QUEUE, 'd'), 'waiting')]).toEqual(['running', Math.floor(shorter / 5)]);
  });

  test('has room for no more first requests than there is time for', () => {
    const { send } = startAdmission();
    const sent = Array.from({ length: ALL_SLOTS + QUEUE + 100 }, (_, i) => send(`account ${i}`));
    expect(count(sent, 'waiting')).toBe(QUEUE);
  });

  test('gives each account its turn', () => {
    const { end, send, sendMany } = startAdmission();
    const running = Array.from({ length: ALL_SLOTS }, (_, i) => send(`account ${i}`));
    const [a, b] = [sendMany(3, 'a'), sendMany(1, 'b')];
    running.slice(0, ALL_SLOTS - SLOTS + 2).forEach(end);
    expect([states(a), states(b)]).toEqual([['running', 'waiting', 'waiting'], ['running']]);
  });
});

describe('a refusal', () => {
  const HOLD_MS = 0.4 * TIMEOUT_MS;
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick'] }));
  afterEach(() => void jest.useRealTimers());

  /** Admission with no room for the account `a`. */
  function startFull() {
    const { admission, send, sendMany } = startAdmission();
    sendMany(SLOTS + QUEUE, 'a');
    return { admission, retry: (socket: object, account = 'a') => send(account, 'address', socket) };
  }
  const after = async (ms: number, sent: Sent) => {
    now += ms;
    jest.advanceTimersByTime(ms);
    await turn();
    return sent.outcome;
  };

  test('is kept back from a client that comes again before its Retry-After is up', async () => {
    const { admission, retry } = startFull();
    const socket = {};
    jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(retry(socket).outcome).toBe('service_unavailable');
    for (let again = 0; again < 4; again++) {
      const early = retry(socket);
      expect([await after(HOLD_MS - 1, early), admission.counts.held]).toEqual([undefined, 1]);
      expect([await after(1, early), admission.counts.held]).toEqual(['service_unavailable', 0]);
    }
    expect(admission.counts.refused).toBe(QUEUE / 2 + 5);
  });

  test('is sent at once to clients that come when it is up, on other connections, and for other accounts', async () => {
    const { retry } = startFull();
    const socket = {};
    retry(socket);
    expect(retry({}).outcome).toBe('service_unavailable');
    for (let i = 0; i < QUEUE; i++) retry({}, 'b');
    expect(retry(socket, 'b').outcome).toBe('service_unavailable');
    retry(socket);
    now += 3000;
    expect(retry(socket).outcome).toBe('service_unavailable');
  });

  test('tells clients different times, and the one that is left is waited for', async () => {
    const { retry } = startFull();
    jest.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.99);
    const [soon, late] = [{}, {}];
    retry(soon);
    retry(late);
    now += 750;
    expect(await after(250, retry(soon))).toBe('service_unavailable');
    expect(await after(250, retry(late))).toBeUndefined();
  });

  test('is logged with those of a second, by the callers that have the most', () => {
    const lines: { readonly refused?: number; readonly callers?: object }[] = [];
    const { send, sendMany } = startAdmission((fields) => lines.push(fields));
    const isRefused = ({ outcome }: Sent) => outcome === 'service_unavailable';
    const refusedOf = (requests: readonly Sent[]) => requests.filter(isRefused).length;
    const first = refusedOf(sendMany(SLOTS + QUEUE, 'a'));
    expect(lines).toMatchObject([{ refused: 1, callers: { a: 1 } }]);
    jest.advanceTimersByTime(1000);
    expect(lines.slice(1)).toMatchObject([{ refused: first - 1, callers: { a: first - 1 } }]);

    const byCaller = ['b', 'c', 'd', 'e', 'f', 'g'].map((account, i) => [account, refusedOf(sendMany(QUEUE + i, account))] as const);
    const nameless = refusedOf(Array.from({ length: 2 * QUEUE }, () => send(undefined)));
    jest.advanceTimersByTime(1000);
    const most = byCaller.toSorted(([, x], [, y]) => y - x).slice(0, 5);
    const all = byCaller.reduce((sum, [, count]) => sum + count, nameless);
    expect(Object.entries(lines[2]?.callers ?? {})).toEqual(most);
    expect(lines[2]?.refused).toBe(all);

    jest.advanceTimersByTime(5000);
    expect(lines).toHaveLength(3);
    expect(refusedOf([send(undefined)])).toBe(1);
    expect(lines.slice(3)).toMatchObject([{ refused: 1, callers: {} }]);
  });

  test('closes the connection when many are kept back', () => {
    const { admission, retry } = startFull();
    const sockets = Array.from({ length: HELD + 1 }, () => ({}));
    sockets.forEach((socket) => retry(socket));
    const all = sockets.map((socket) => retry(socket));
    expect(admission.counts.held).toBe(HELD);
    expect(all.at(-1)).toMatchObject({
      outcome: 'service_unavailable',
      exchange: { headers: { list: expect.arrayContaining(['Connection', 'close']) } },
    });
  });
});
