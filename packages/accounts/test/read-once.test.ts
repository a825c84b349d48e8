/** A request whose stream was read is not run again: 503 with Retry-After, and nothing stored for its Idempotency-Key. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openIdempotencyStore, type PostgresIdempotencyStore } from '@specwright/accounts';
import { createStoreAccess, type Database, type Transaction } from '@specwright/postgres';
import { type AppError, FrameworkError, HandlerResponse } from '@specwright/server';
import { withApp, withFixture } from 'specwright/testing';
import { serve } from '../../server/test/support/serve.ts';
import { withAccountsDatabase } from './support/accounts-database.ts';

const upload = (id: string, content: string) => `  /${id}:
    post:
      operationId: ${id}
      x-body-limit: 1048576
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }, { name: Content-Digest, in: header, schema: { type: string } }]
      requestBody: { content: { ${content} } }
      responses: { '201': { description: ok, content: { application/json: { schema: { type: object, additionalProperties: true } } } } }
`;
const FILES = (streamed: boolean) =>
  `multipart/form-data: { ${streamed ? 'x-multipart: stream, ' : ''}schema: { type: object, properties: { files: { type: array, items: { type: string, format: binary } } } } }`;
const YAML = `paths:
${upload('stream', 'application/octet-stream: { x-stream: true }')}${upload('items', 'application/jsonl: { x-item-schema: { type: object, properties: { n: { type: integer } } } }')}${upload('files', FILES(true))}${upload('spooled', FILES(false))}${upload('whole', 'application/json: { schema: { type: object, additionalProperties: true } }')}`;

interface Input {
  readonly body: unknown;
  readonly files?: AsyncIterable<{ readonly stream: Readable }>;
}
const count = async (bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  let sum = 0;
  for await (const chunk of bytes) sum += chunk.length;
  return sum;
};
const READ: Readonly<Record<string, (input: Input) => Promise<number>>> = {
  stream: ({ body }) => count(body as Readable),
  async items({ body }) {
    let sum = 0;
    for await (const { n } of body as AsyncIterable<{ n: number }>) sum += n;
    return sum;
  },
  async files({ files }) {
    let sum = 0;
    for await (const { stream } of files as NonNullable<Input['files']>) sum += await count(stream);
    return sum;
  },
  async spooled({ files }) {
    let sum = 0;
    for (const { stream } of files as unknown as readonly { stream: Readable }[]) sum += await count(stream);
    return sum;
  },
  whole: async ({ body }) => Object.keys(body as object).length,
};

const boundary = 'b';
const part = (text: string) => `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="f"\r\n\r\n${text}\r\n`;
const FORM = `${part('a'.repeat(40_000))}${part('b'.repeat(40_000))}--${boundary}--\r\n`;
const SENT: Readonly<Record<string, readonly [type: string, body: string, sum: number]>> = {
  stream: ['application/octet-stream', 'x'.repeat(50_000), 50_000],
  items: ['application/jsonl', '{"n":1}\n'.repeat(5000), 5000],
  files: [`multipart/form-data; boundary=${boundary}`, FORM, 80_000],
  spooled: [`multipart/form-data; boundary=${boundary}`, FORM, 80_000],
  whole: ['application/json', '{"a":1,"b":2}', 2],
};
const STREAMED = ['stream', 'items', 'files'];

/** Errors after which a transaction is run again: SQLSTATE and message. */
const ERRORS = {
  deadlock: ['40P01', 'deadlock detected'],
  'a serialization failure': ['40001', 'could not serialize access'],
  'a stale prepared statement': ['0A000', 'cached plan must not change result type'],
  'a full queue of notifications': ['54000', 'too many notifications in the NOTIFY queue'],
} as const;

const { transaction } = createStoreAccess();
const database = withAccountsDatabase();
const fail = ([state, message]: readonly [string, string]) => `DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${state}'; END $$`;

/** What the handlers do in their transaction. */
let work: (db: Database, read: () => Promise<number>, attempt: number) => Promise<number>;
let attempts = 0;
const handlers = Object.fromEntries(
  Object.entries(READ).map(([id, read]) => [
    id,
    async (input: Input, _reply: unknown, { db }: { db: Database }) =>
      HandlerResponse.reply(201, {
        body: await transaction(db, async (trx: Transaction) => {
          attempts++;
          const sum = await work(trx, () => read(input), attempts);
          await trx('notes').insert({ text: `${id} ${sum}` });
          return { sum, attempt: attempts };
        }),
      }),
  ]),
);
const store = withFixture<PostgresIdempotencyStore>(
  async () => {
    await database.db.raw('CREATE TABLE notes (text text)');
    return openIdempotencyStore(database.db);
  },
  (opened) => opened.close(),
);
const app = withApp(() => serve(YAML, { handlers, db: database.db, idempotency: store as never }));
beforeEach(() => {
  attempts = 0;
});

let keys = 0;
const nextKey = () => `key-${++keys}`;
async function send(id: string, key?: string) {
  const [type, body] = SENT[id] as (typeof SENT)[string];
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const headers = { 'Content-Type': type, 'Content-Digest': digest, ...(key !== undefined && { 'Idempotency-Key': key }) };
  const response = await fetch(`${app.url}/${id}`, { method: 'POST', body, headers });
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: (await response.json()) as object };
}
const rows = async () => [(await database.db('notes').select('text')).length, (await database.db('idempotency_keys').select('id')).length];

const CASES = STREAMED.flatMap((id) => Object.entries(ERRORS).map(([name, error]) => [id, name, error] as const));

describe.each(['after the body', 'in the middle of the body'])('a request of a stream that fails %s', (place) => {
  test.each(CASES)('%s: by %s is answered with 503, and its retry is done', async (id, _, error) => {
    const isFirst = (attempt: number) => attempt === 1;
    work = async (trx, read, attempt) => {
      if (place === 'after the body') {
        const sum = await read();
        if (isFirst(attempt)) await trx.raw(fail(error));
        return sum;
      }
      if (!isFirst(attempt)) return read();
      // Begun, and given up.
      const reading = read();
      await Promise.race([reading, new Promise((resolve) => setImmediate(resolve))]);
      reading.catch(() => undefined);
      await trx.raw(fail(error));
      return 0;
    };
    const [before, key] = [await rows(), nextKey()];
    const failed = await send(id, key);
    expect(failed).toMatchObject({ status: 503, retryAfter: '1', body: { code: 'service_unavailable' } });
    expect([attempts, await rows()]).toEqual([1, before]);
    const sum = SENT[id]?.[2];
    expect(await send(id, key)).toMatchObject({ status: 201, body: { sum, attempt: 2 } });
    expect(await send(id, key)).toMatchObject({ status: 201, body: { sum, attempt: 2 } });
    expect(attempts).toBe(2);
  });
});

test.each(Object.keys(SENT))('%s: a request that has read nothing yet is run again, with its whole body', async (id) => {
  for (const key of [nextKey(), undefined]) {
    attempts = 0;
    work = async (trx, read, attempt) => {
      if (attempt === 1) await trx.raw(fail(ERRORS.deadlock));
      return read();
    };
    expect(await send(id, key)).toMatchObject({ status: 201, body: { sum: SENT[id]?.[2], attempt: 2 } });
  }
});

test.each(['spooled', 'whole'])('%s: a body that is stored is read again', async (id) => {
  for (const key of [nextKey(), undefined]) {
    attempts = 0;
    work = async (trx, read, attempt) => {
      const sum = await read();
      if (attempt === 1) await trx.raw(fail(ERRORS.deadlock));
      return sum;
    };
    expect(await send(id, key)).toMatchObject({ status: 201, body: { sum: SENT[id]?.[2], attempt: 2 } });
  }
});

test.each(CASES)(
  '%s: without a key, a transaction of the handler that reads the body again after %s is answered with 503',
  async (id, _, error) => {
    work = async (trx, read, attempt) => {
      const sum = await read();
      if (attempt === 1) await trx.raw(fail(error));
      return sum;
    };
    const before = await rows();
    expect(await send(id)).toMatchObject({ status: 503, retryAfter: '1' });
    expect(await rows()).toEqual(before);
  },
);

describe('a transaction with `once`', () => {
  const run = async (once: true | (() => boolean), outer: boolean) => {
    let runs = 0;
    const failing = async (trx: Transaction) => {
      runs++;
      await trx.raw(fail(ERRORS.deadlock));
    };
    const inner = (db: Database) => transaction(db, failing, { once });
    const error = await (outer ? transaction(database.db, inner) : inner(database.db)).then(
      () => undefined,
      (thrown: unknown) => thrown as AppError,
    );
    return { runs, error };
  };

  test.each([false, true])('is not run again, nor is one around it (%s)', async (outer) => {
    for (const once of [true, () => true] as const) {
      const { runs, error } = await run(once, outer);
      expect([runs, error]).toEqual([1, expect.any(FrameworkError)]);
      expect(error).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } });
    }
    expect((await run(() => false, outer)).runs).toBe(4);
  });
});
