/** The budget of bytes for the bodies of all requests: what waits, in which order, and for how long. */
import { describe, expect, test } from '@jest/globals';
import { until, withApp } from 'specwright/testing';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';
import { BodyBudget } from '../../src/pipeline/body/body-budget.ts';
import { headOf, rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const NEVER_MS = 1_000_000;

const MIB = 1024 * 1024;

test('takes what fits at once, and gives it back', () => {
  const budget = new BodyBudget(100 * MIB, NEVER_MS);
  const lease = budget.open(60 * MIB);
  expect(budget.acquire(lease, 60 * MIB)).toBeUndefined();
  budget.complete(lease, 50 * MIB);
  expect(budget.used).toBe(50 * MIB);
  budget.release(lease);
  expect(budget.used).toBe(0);
});

test('the oldest body gets to its end, and the others go on in the order in which they began', async () => {
  const budget = new BodyBudget(100 * MIB, NEVER_MS);
  const [first, second, third] = [budget.open(50 * MIB), budget.open(60 * MIB), budget.open(60 * MIB)];
  const granted: string[] = [];
  const acquire = async (name: string, of: typeof first, bytes: number) => {
    await budget.acquire(of, bytes);
    granted.push(name);
  };
  await Promise.all([acquire('first', first, 20 * MIB), acquire('second', second, 30 * MIB)]);
  const later = [acquire('third', third, 40 * MIB), acquire('second again', second, 30 * MIB)];
  expect(budget.acquire(first, 30 * MIB)).toBeUndefined();
  budget.complete(first, 50 * MIB);
  expect(granted).toEqual(['first', 'second']);
  budget.release(first);
  await later[1];
  budget.complete(second, 60 * MIB);
  await later[0];
  expect(granted).toEqual(['first', 'second', 'second again', 'third']);
});

test('a body that is larger than the budget is read alone', () => {
  const budget = new BodyBudget(100 * MIB, NEVER_MS);
  const large = budget.open(1000 * MIB);
  expect(budget.acquire(large, 90 * MIB)).toBeUndefined();
  expect(budget.acquire(large, 900 * MIB)).toBeUndefined();
  expect(budget.acquire(budget.open(10 * MIB), 10 * MIB)).toBeInstanceOf(Promise);
});

test('a client that announces much and sends nothing takes no more than half of it from others', () => {
  const budget = new BodyBudget(100 * MIB, NEVER_MS);
  for (let i = 0; i < 10; i++) budget.open(1000 * MIB);
  expect(budget.acquire(budget.open(50 * MIB), 50 * MIB)).toBeUndefined();
});

test('what waits for too long is 503 with Retry-After; a request that has ended does not wait', async () => {
  const budget = new BodyBudget(100 * MIB, 5);
  void budget.acquire(budget.open(100 * MIB), 100 * MIB);
  await expect(budget.acquire(budget.open(10 * MIB), 10 * MIB)).rejects.toMatchObject({
    code: 'service_unavailable',
    headers: { 'Retry-After': '1' },
  });
  const gone = budget.open(10 * MIB);
  const waiting = budget.acquire(gone, 10 * MIB);
  budget.release(gone);
  await expect(waiting).resolves.toBeUndefined();
  budget.complete(gone, 10 * MIB);
  expect(budget.used).toBe(100 * MIB);
});

test('a small body waits behind no larger one, as long as there is room', async () => {
  const budget = new BodyBudget(100 * MIB, NEVER_MS);
  void budget.acquire(budget.open(90 * MIB), 80 * MIB);
  const [large, small] = [budget.open(30 * MIB), budget.open(MIB / 4)];
  const waiting = budget.acquire(large, 30 * MIB);
  expect(waiting).toBeInstanceOf(Promise);
  expect(budget.acquire(small, MIB / 4)).toBeUndefined();
  budget.release(large);
  await waiting;
});

test('small bodies that fill the budget do not wait for each other: the oldest one gets to its end', async () => {
  const budget = new BodyBudget(MIB, NEVER_MS);
  const leases = Array.from({ length: 8 }, () => budget.open(MIB / 4));
  const parts = leases.map(async (lease) => {
    for (let part = 0; part < 4; part++) await budget.acquire(lease, MIB / 16);
    budget.release(lease);
  });
  await Promise.all(parts);
  expect(budget.used).toBe(0);
});

describe('a caller with more than half of the budget', () => {
  /** Six bodies of 15 MiB of caller `a`, of 100 MiB, that are being received. */
  function fill() {
    const budget = new BodyBudget(100 * MIB, 100);
    const refused: number[] = [];
    for (let i = 0; i < 6; i++) {
      const lease = budget.open(16 * MIB, 'a');
      const refuse = (error: Error) => {
        expect(error).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } });
        refused.push(i);
        budget.release(lease);
      };
      const body = { lease, isAwaited: false, receivedBytes: 0, refuse };
      budget.arriving.add(body);
      expect(budget.acquire(lease, 15 * MIB)).toBeUndefined();
    }
    return { budget, refused };
  }

  test('gives its youngest bodies up for a body of another caller that has waited', async () => {
    const { budget, refused } = fill();
    await budget.acquire(budget.open(30 * MIB, 'b'), 30 * MIB);
    expect(refused).toEqual([5, 4, 3]);
    expect(budget.used).toBe(75 * MIB);
  });

  test('waits behind bodies of other callers, also if its own have waited for longer', async () => {
    const { budget } = fill();
    const granted: string[] = [];
    const wait = async (caller: string) => {
      await budget.acquire(budget.open(20 * MIB, caller), 20 * MIB);
      granted.push(caller);
    };
    await Promise.all([wait('a'), wait('b')]);
    expect(granted).toEqual(['b', 'a']);
  });

  test('is one like any other once they have ended', async () => {
    const budget = new BodyBudget(100 * MIB, NEVER_MS);
    budget.open(10 * MIB, 'oldest');
    const [former, other] = [budget.open(60 * MIB, 'a'), budget.open(90 * MIB, 'c')];
    expect(budget.acquire(former, 60 * MIB)).toBeUndefined();
    budget.release(former);
    expect(budget.acquire(other, 90 * MIB)).toBeUndefined();
    const granted: string[] = [];
    const wait = async (caller: string) => {
      await budget.acquire(budget.open(20 * MIB, caller), 20 * MIB);
      granted.push(caller);
    };
    void Promise.all([wait('a'), wait('b')]);
    budget.release(other);
    await new Promise(setImmediate);
    expect(granted).toEqual(['a', 'b']);
  });

  test('keeps them while nobody but itself waits', async () => {
    const { budget, refused } = fill();
    await expect(budget.acquire(budget.open(30 * MIB, 'a'), 30 * MIB)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(refused).toEqual([]);
  });
});

const BUDGET = 1_000_000;
const LIMIT = 700_000;
const MEDIA = 'application/octet-stream: { schema: { type: string, format: binary } }';
const OK = `responses: { '204': { description: ok } }`;
let release: (() => void) | undefined;
const app = withApp(() =>
  serve(
    `paths:\n  /files: { post: { operationId: upload, x-body-limit: ${LIMIT}, requestBody: { content: { ${MEDIA} } }, ${OK} } }\n  /held: { post: { operationId: held, x-body-limit: ${LIMIT}, requestBody: { content: { ${MEDIA} } }, ${OK} } }\n`,
    {
      bodyBudgetBytes: BUDGET,
      rateLimit: { trustProxy: { header: 'x-forwarded-for', hops: 1 } } as never,
      requestTimeoutMs: 4000,
      metrics: { maxAgeMs: 0 },
      handlers: {
        upload: (_input: unknown, reply: (status: number) => unknown) => reply(204),
        held: async (_input: unknown, reply: (status: number) => unknown) => {
          await new Promise<void>((resolve) => (release = resolve));
          return reply(204);
        },
      },
    },
  ),
);
const send = (path: string, bytes: number, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream', ...headers }, body: Buffer.alloc(bytes) });
const bytesUnderWay = async () =>
  Number(/^http_server_body_bytes (\d+)/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1] ?? Number.NaN);

test('a server reads no more than the budget, answers 503 to what waits, and goes on with what is small', async () => {
  const held = send('/held', LIMIT);
  await until(() => release !== undefined);
  expect(await bytesUnderWay()).toBe(LIMIT);
  const waiting = send('/files', LIMIT);
  expect((await send('/files', 100)).status).toBe(204);
  const refused = await waiting;
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
  release?.();
  expect((await held).status).toBe(204);
  await until(async () => (await bytesUnderWay()) === 0);
  expect((await send('/files', LIMIT)).status).toBe(204);
});

test('a body that is cut off, or too large in chunks, gives back what it has', async () => {
  for (const end of ['b\r\n', `19000\r\n${'x'.repeat(0x19000)}\r\n`.repeat(8)]) {
    const client = await rawClient(app.url);
    client.write(`${headOf('/files', { 'Transfer-Encoding': 'chunked' })}19000\r\n${'x'.repeat(0x19000)}\r\n`);
    await until(async () => (await bytesUnderWay()) > 0);
    client.write(end);
    client.socket.end();
    await until(async () => (await bytesUnderWay()) === 0);
  }
});

const DRIPPED = 200_000;

/** Sends most of a body, and then a byte now and then. */
async function drip(address: string): Promise<{ status: () => Promise<number>; stop: () => void }> {
  const client = await rawClient(app.url);
  const head = { 'Content-Length': DRIPPED + 1000, 'Content-Type': 'application/octet-stream', 'X-Forwarded-For': address };
  client.write(headOf('/files', head) + 'x'.repeat(DRIPPED));
  const timer = setInterval(() => client.write('x'), 500);
  return { status: () => client.status(), stop: () => (clearInterval(timer), client.socket.destroy()) };
}

test.each([
  ['one address', () => '192.0.2.1'],
  ['each its own address', (i: number) => `192.0.2.${i}`],
])('five uploads that drip from %s are ended, and every other caller is served', async (_, addressOf) => {
  const drips = await Promise.all(Array.from({ length: 5 }, (_, i) => drip(addressOf(i))));
  try {
    await until(async () => (await bytesUnderWay()) > 0.7 * BUDGET);
    // A neighbour waits for half of the time of a request, and a drip is ended after 0.4 of it: on a busy machine the next try finds room.
    const upload = async (i: number): Promise<number> => {
      const { status } = await send('/files', DRIPPED, { 'X-Forwarded-For': `198.51.100.${i}` });
      return status === 503 ? (await send('/files', DRIPPED, { 'X-Forwarded-For': `198.51.100.${i}` })).status : status;
    };
    expect(await Promise.all(Array.from({ length: 8 }, (_, i) => upload(i)))).toEqual(Array.from({ length: 8 }, () => 204));
    const statuses = await Promise.all(drips.slice(0, 3).map(({ status }) => status()));
    // Of one address some are refused because other callers wait.
    for (const status of statuses) expect(addressOf(0) === addressOf(1) ? [408, 503] : [408]).toContain(status);
  } finally {
    for (const { stop } of drips) stop();
  }
  await until(async () => (await bytesUnderWay()) === 0);
});

test('a slow body is read to its end while less than half of the budget is taken', async () => {
  const client = await rawClient(app.url);
  client.write(headOf('/files', { 'Content-Length': 3, 'Content-Type': 'application/octet-stream' }));
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1200));
    client.write('x');
  }
  expect(await client.status()).toBe(204);
});

test('BODY_BUDGET is a number of bytes', () => {
  const read = (environment: NodeJS.ProcessEnv) => readEnvironment(SERVER_VARIABLES, environment).bodyBudget;
  expect([read({}), read({ BODY_BUDGET: '1000000' })]).toEqual([134217728, 1_000_000]);
  expect(() => read({ BODY_BUDGET: '0' })).toThrow(/BODY_BUDGET must be a whole number/);
});
