/** Whatever a handler returns as bytes or items is closed, once: for each kind of it, and each way in which a request can end. */
import { createReadStream, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { close, HandlerResponse, type Context, type IdempotencyStore } from '@specwright/server';
import { scaleTimeout, until, withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

/** Of the server whose deadlines pass. */
const DEADLINE_MS = scaleTimeout(50);
/** How long a generator waits for its next part. */
const PART_MS = 100;

const RESPONSES = (content: string) => `
        '200': { description: ok, headers: { ETag: { schema: { type: string } } }, content: { ${content} } }
        '206': { description: part, content: { ${content} } }
        '304': { description: not modified, headers: { ETag: { schema: { type: string } } } }`;
const operations = (path: string, content: string) => `  /${path}:
    parameters: [{ name: case, in: query, required: true, schema: { type: string } }]
    get:
      operationId: ${path}
      responses: ${RESPONSES(content)}
    post:
      operationId: ${path}Once
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses: ${RESPONSES(content)}
`;
const YAML = `paths:
${operations('bytes', 'application/octet-stream: {}')}${operations('items', 'application/jsonl: { x-item-schema: { type: object } }, text/plain: {}, application/json: { schema: { type: object } }')}`;

/** How a source goes on: it ends, is silent after its first part or from the beginning, or fails after its first part. */
type Course = 'ends' | 'goes on' | 'is silent' | 'fails';
interface Source {
  readonly payload: object;
  /** How often it was opened and closed. */
  opened: number;
  closed: number;
}
type Create = (course: Course) => Source | Promise<Source>;

const folder = await mkdtemp(join(tmpdir(), 'released-'));
const path = join(folder, 'file');
await writeFile(path, 'x'.repeat(4 * 1024 * 1024));
afterAll(() => rm(folder, { recursive: true }));
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)) === path;
    } catch {
      return false;
    }
  }).length;

/** The parts of a source: `undefined` at its end. */
function parts<Part>(course: Course, part: Part): () => Promise<Part | undefined> {
  let count = 0;
  return async () => {
    count++;
    if (course === 'is silent' || (course === 'goes on' && count > 1)) return new Promise<never>(() => undefined);
    if (course === 'fails' && count > 1) throw new Error('the source has failed');
    return count > 1 ? undefined : part;
  };
}

const iterator = (source: Source, course: Course, part: unknown): AsyncIterator<unknown> => {
  source.opened++;
  const next = parts(course, part);
  return {
    next: async () => {
      const value = await next();
      return { done: value === undefined, value };
    },
    return: async () => {
      source.closed++;
      return { done: true, value: undefined };
    },
  };
};

const nodeStream = (source: Source, course: Course, part: unknown): Readable => {
  source.opened++;
  const next = parts(course, part);
  return new Readable({
    objectMode: true,
    read() {
      next().then(
        (value) => void this.push(value ?? null),
        (error: unknown) => void this.destroy(error as Error),
      );
    },
    destroy(error, callback) {
      source.closed++;
      callback(error);
    },
  });
};

const webStream = (source: Source, course: Course, part: unknown): ReadableStream => {
  source.opened++;
  const next = parts(course, part);
  return new ReadableStream({
    async pull(controller) {
      try {
        const value = await next();
        if (value !== undefined) return controller.enqueue(value);
        source.closed++;
        controller.close();
      } catch (error) {
        source.closed++;
        throw error;
      }
    },
    cancel() {
      source.closed++;
    },
  });
};

const source = (make: (source: Source) => object): Source => {
  const made: Source = { payload: {}, opened: 0, closed: 0 };
  return Object.assign(made, { payload: make(made) });
};

/** A file says nothing of how it goes on: it is longer than what a connection buffers. */
const file = (stream: Readable): Source => {
  const made = source(() => ({ stream }));
  made.opened = 1;
  stream.once('close', () => made.closed++);
  return made;
};

const BYTES = Buffer.from('abc');
const KINDS: Readonly<Record<string, Readonly<Record<string, Create>>>> = {
  bytes: {
    'a stream': (course) => source((made) => ({ stream: nodeStream(made, course, BYTES) })),
    'a function that opens a stream': (course) => source((made) => ({ stream: () => nodeStream(made, course, BYTES) })),
    'a function that opens a stream later': (course) =>
      source((made) => ({ stream: async () => (await sleep(20), nodeStream(made, course, BYTES)) })),
    'a web stream': (course) => source((made) => ({ stream: webStream(made, course, new Uint8Array(BYTES)) })),
    'an async iterable': (course) => source((made) => ({ stream: { [Symbol.asyncIterator]: () => iterator(made, course, BYTES) } })),
    'an async generator': (course) => source((made) => ({ stream: generator(made, course, BYTES) })),
    'a file': () => file(createReadStream(path)),
    'a file handle': async () => file((await open(path)).createReadStream()),
  },
  items: {
    'an async iterable': (course) => source((made) => ({ items: { [Symbol.asyncIterator]: () => iterator(made, course, {}) } })),
    'an async generator': (course) => source((made) => ({ items: generator(made, course, {}) })),
    'a stream': (course) => source((made) => ({ items: nodeStream(made, course, {}) })),
    'a web stream': (course) => source((made) => ({ items: webStream(made, course, {}) })),
    'a sync iterable': (course) => source((made) => ({ items: syncIterable(made, course) })),
  },
};

/** Closed by its own `finally`; not opened before its first part is asked for. */
async function* generator(made: Source, course: Course, part: unknown): AsyncGenerator {
  const next = parts(course, part);
  made.opened++;
  try {
    // One that waits is closed only then.
    for (let value = await inTime(next()); value !== undefined; value = await inTime(next())) yield value;
  } finally {
    made.closed++;
  }
}
const inTime = <T>(value: Promise<T>): Promise<T | undefined> => Promise.race([value, sleep(PART_MS).then(() => undefined)]);

/** What goes on has no end, as a client that does not read makes it wait. */
const syncIterable = (made: Source, course: Course): Iterable<object> => ({
  [Symbol.iterator]: () => {
    made.opened++;
    let count = 0;
    return {
      next: () => {
        count++;
        if (course === 'fails' && count > 1) throw new Error('the source has failed');
        return count > 1 && course === 'ends' ? { done: true, value: undefined } : { done: false, value: { text: 'x'.repeat(10_000) } };
      },
      return: () => {
        made.closed++;
        return { done: true, value: undefined };
      },
    };
  },
});

type Call = (
  input: { readonly query: { readonly case: string } },
  reply: unknown,
  context: Context<never, never, unknown>,
) => Promise<object>;
/** By the case that a request is of: many run at once. */
const calls = new Map<string, Call>();
const answer: Call = (input, ...rest) => (calls.get(input.query.case) as Call)(input, ...rest);
const handlers = { bytes: answer, bytesOnce: answer, items: answer, itemsOnce: answer };
/** A store that keeps nothing. */
const idempotency: IdempotencyStore = {
  run: async (_, work) => ({ response: await work(undefined), isReplay: false }),
};
const start = (options: object = {}) =>
  serve(YAML, { handlers, idempotency: idempotency, requestTimeoutMs: scaleTimeout(5000), ...options });
const app = withApp(() => start());
const hasty = withApp(() => start({ requestTimeoutMs: DEADLINE_MS }));
const lax = withApp(() => start({ responseValidation: 'log' }));

interface Asked {
  /** Resolves with the status; with 0 if there is no response. */
  readonly status: Promise<number>;
  readonly leave: () => void;
}

let cases = 0;
class Case {
  /** What the handler has returned. */
  readonly made: Source[] = [];
  readonly path: string;
  readonly #create: Create;
  readonly #id = String(cases++);

  constructor(path: string, create: Create) {
    this.path = path;
    this.#create = create;
  }

  answerWith(call: Call): void {
    calls.set(this.#id, call);
  }

  reply(course: Course, payload: object = {}, status = 200): Call {
    const type = this.path === '/items' ? { type: 'application/jsonl' } : {};
    return async () => {
      const given = await this.#create(course);
      this.made.push(given);
      return HandlerResponse.reply(status, { ...type, ...given.payload, ...payload });
    };
  }

  ask({ base = app.url, method = 'GET', headers = {}, isReading = true }: AskOptions = {}): Asked {
    const sent = request(`${base}${this.path}?case=${this.#id}`, { method, headers, agent: false });
    const status = new Promise<number>((resolve) => {
      sent.on('response', (response) => {
        if (isReading) response.resume();
        response.on('error', () => undefined);
        resolve(response.statusCode ?? 0);
      });
      sent.on('close', () => resolve(0));
    });
    sent.on('error', () => undefined).end();
    return { status, leave: () => void sent.destroy() };
  }

  get isClosed(): boolean {
    return this.made.length > 0 && this.made.every(({ opened, closed }) => closed >= opened);
  }

  /** How often what was opened was closed too often, or too seldom. */
  get difference(): number {
    return this.made.reduce((sum, { opened, closed }) => sum + Math.abs(closed - opened), 0);
  }
}

interface AskOptions {
  readonly base?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly isReading?: boolean;
}

/** Waits until what was opened is closed, and looks again: nothing is opened late, or closed twice. */
async function expectClosed(all: ReadonlyMap<string, Case>): Promise<void> {
  const areClosed = () => [...all.values()].every(({ isClosed }) => isClosed) && openFiles() === 0;
  await until(areClosed);
  await sleep(50);
  await until(areClosed);
  expect([...all].filter(([, { difference }]) => difference > 0).map(([name]) => name)).toEqual([]);
}

/** Each way in which a request ends. */
const WAYS: Readonly<Record<string, (one: Case) => Promise<void>>> = {
  async 'is sent whole'(one) {
    one.answerWith(one.reply('ends'));
    expect(await one.ask().status).toBe(200);
  },
  async 'is left by its client while it is sent'(one) {
    one.answerWith(one.reply('goes on'));
    const asked = one.ask({ isReading: false });
    expect(await asked.status).toBe(200);
    asked.leave();
  },
  async 'is left by its client before the handler has answered'(one) {
    let isCalled = false;
    one.answerWith(async (...args) => {
      isCalled = true;
      await new Promise((resolve) => args[2].signal.addEventListener('abort', resolve));
      return one.reply('goes on')(...args);
    });
    const asked = one.ask();
    await until(() => isCalled);
    asked.leave();
  },
  async 'is left by its client before the first part'(one) {
    one.answerWith(one.reply('is silent'));
    const asked = one.ask();
    await until(() => one.made.length > 0);
    asked.leave();
  },
  async 'is answered at its deadline, before the handler has answered'(one) {
    one.answerWith(async (...args) => {
      await sleep(1.5 * DEADLINE_MS);
      return one.reply('goes on')(...args);
    });
    expect(await one.ask({ base: hasty.url }).status).toBe(503);
  },
  async 'is answered at its deadline, before the first part'(one) {
    one.answerWith(one.reply('is silent'));
    const asked = one.ask({ base: hasty.url, isReading: false });
    expect([200, 503]).toContain(await asked.status);
    asked.leave();
  },
  async 'is HEAD'(one) {
    one.answerWith(one.reply('goes on'));
    expect(await one.ask({ method: 'HEAD' }).status).toBe(200);
  },
  async 'has a status that is not declared'(one) {
    one.answerWith(one.reply('goes on', {}, 201));
    expect(await one.ask().status).toBe(500);
  },
  async 'has a media type that is not declared, which is only logged'(one) {
    one.answerWith(one.reply('goes on', { type: one.path === '/items' ? 'application/json' : 'image/png' }));
    const asked = one.ask({ base: lax.url, isReading: false });
    await asked.status;
    asked.leave();
  },
  async fails(one) {
    one.answerWith(one.reply('fails'));
    const asked = one.ask({ isReading: false });
    await asked.status;
    // Of a file, which does not fail.
    asked.leave();
  },
  async 'has an Idempotency-Key, with which no stream is answered'(one) {
    one.answerWith(one.reply('goes on'));
    expect(await one.ask({ method: 'POST', headers: { 'Idempotency-Key': '1' } }).status).toBe(500);
  },
};
const WAYS_OF_BYTES: typeof WAYS = {
  async 'is answered with 304'(one) {
    one.answerWith(one.reply('goes on', { headers: { ETag: '"1"' } }));
    expect(await one.ask({ headers: { 'If-None-Match': '"1"' } }).status).toBe(304);
  },
  async 'is answered with 412'(one) {
    one.answerWith(one.reply('goes on', { headers: { ETag: '"1"' } }));
    expect(await one.ask({ headers: { 'If-Match': '"2"' } }).status).toBe(412);
  },
  async 'has a length that is none'(one) {
    one.answerWith(one.reply('goes on', { length: -1 }));
    expect(await one.ask().status).toBe(500);
  },
};

const casesOf = (target: string): Map<string, Case> =>
  new Map(Object.entries(KINDS[target] ?? {}).map(([kind, create]) => [kind, new Case(`/${target}`, create)]));

describe.each(Object.keys(KINDS))('%s of every kind are closed, once, if the request', (target) => {
  test.each(Object.entries({ ...WAYS, ...(target === 'bytes' && WAYS_OF_BYTES) }))('%s', async (_, run) => {
    const all = casesOf(target);
    await Promise.all([...all.values()].map(run));
    await expectClosed(all);
  });
});

test.each(['goes on', 'is silent'] as const)('a server that stops ends items of every kind: one that %s', async (course) => {
  const stopping = await start();
  const all = casesOf('items');
  const asked = [...all.values()].map((one) => {
    one.answerWith(one.reply(course));
    return one.ask({ base: stopping.url, isReading: course === 'is silent' });
  });
  await until(() => [...all.values()].every(({ made }) => made.length > 0));
  if (course === 'goes on') await Promise.all(asked.map(({ status }) => status));
  const began = performance.now();
  const closed = close(stopping.server, scaleTimeout(5000));
  expect(await Promise.all(asked.map(({ status }) => status))).toEqual(asked.map(() => 200));
  // A client that does not read has not seen the end.
  for (const { leave } of asked) if (course === 'goes on') leave();
  await closed;
  expect(performance.now() - began).toBeLessThan(scaleTimeout(2500));
  await expectClosed(all);
});
