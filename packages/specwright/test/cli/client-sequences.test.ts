/** A generated client sends items to a server: a list at once, and an iterable as it is asked for. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import { scaleTimeout, until } from 'specwright/testing';
import { sourceOf, strictProblems, withServedClient } from './support/client.ts';

const ITEM =
  '{ type: object, additionalProperties: false, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }';
const ANY = '{ description: ok, content: { application/json: { schema: { type: object } } } }';
const YAML = `paths:
  /items:
    post:
      operationId: add
      x-body-limit: 100000000
      requestBody: { required: true, content: { application/jsonl: { x-item-schema: ${ITEM} }, application/json-seq: { x-item-schema: ${ITEM} } } }
      responses: { '200': ${ANY}, '400': ${ANY}, '503': ${ANY} }
`;

let items: unknown[];
let failed: unknown;
/** Called with the number of items that have come. */
let meanwhile: (count: number) => unknown;
const add = async ({ body }: { body: AsyncIterable<unknown> }, reply: (status: number, payload: object) => unknown) => {
  try {
    for await (const item of body) await meanwhile(items.push(item));
  } catch (error) {
    failed = error;
    throw error;
  }
  return reply(200, { body: { count: items.length } });
};
const served = withServedClient(sourceOf(YAML), { add }, { retry: true });
beforeEach(() => {
  items = [];
  failed = undefined;
  meanwhile = () => undefined;
});

const NAMED = [{ name: 'a' }, { name: 'ü\n\x1E' }];
async function* generate(count: number, size = 0) {
  for (let i = 0; i < count; i++) yield await Promise.resolve({ name: `item ${i} ${'x'.repeat(size)}` });
}

test.each(['application/jsonl', 'application/json-seq'])('a list, a set and a generator of %s', async (contentType) => {
  for (const body of [NAMED, new Set(NAMED)]) {
    items = [];
    expect(await served.client['add']?.({ contentType, body })).toMatchObject({ status: 200, body: { count: 2 } });
    expect(items).toEqual(NAMED);
  }
  items = [];
  expect(await served.client['add']?.({ contentType, body: generate(1000) })).toMatchObject({ status: 200, body: { count: 1000 } });
});

test('an iterable is asked for no more than the server reads', async () => {
  let made = 0;
  let open: () => void = () => undefined;
  meanwhile = (count) => (count === 1 ? new Promise<void>((resolve) => (open = resolve)) : undefined);
  const large = 'x'.repeat(50_000);
  const body = (function* () {
    while (made < 600) yield { name: `${large}${made++}` };
  })();
  const call = served.client['add']?.({ body });
  await until(() => items.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  // What the sockets of both sides have taken.
  expect(made).toBeLessThan(300);
  open();
  expect(await call).toMatchObject({ status: 200, body: { count: 600 } });
});

test('an item that is refused ends the request, and is not sent again', async () => {
  let closed = 0;
  const body = (function* () {
    try {
      yield { name: 'a' };
      yield { name: 5 };
      for (;;) yield { name: 'x'.repeat(10_000) };
    } finally {
      closed++;
    }
  })();
  expect(await served.client['add']?.({ body })).toMatchObject({ status: 400, body: { message: 'body/1/name must be string' } });
  expect(items).toEqual([{ name: 'a' }]);
  await until(() => closed === 1);
});

test('an aborted call ends the iterable, and that of the handler', async () => {
  const controller = new AbortController();
  meanwhile = () => controller.abort();
  await expect(served.client['add']?.({ body: generate(1_000_000, 10_000) }, { signal: controller.signal })).rejects.toThrow(/abort/i);
  await until(() => failed !== undefined);
});

test(
  'the types take lists and iterables of what may be written',
  () => {
    const program = `import { createClient } from './source/client.ts';
const client = createClient({ baseUrl: '' });
await client.add({ contentType: 'application/jsonl', body: [{ name: 'a' }] });
await client.add({ contentType: 'application/json-seq', body: (async function* () { yield { name: 'a' }; })() });
// @ts-expect-error the name is a string
await client.add({ contentType: 'application/jsonl', body: [{ name: 5 }] });
// @ts-expect-error what is readOnly is not sent
await client.add({ contentType: 'application/jsonl', body: [{ name: 'a', id: 1 }] });
// @ts-expect-error an item is no list of them
await client.add({ contentType: 'application/jsonl', body: { name: 'a' } });
`;
    writeFileSync(join(served.folder, 'program.ts'), program);
    expect(strictProblems(served.folder, ['program.ts'])).toEqual([]);
  },
  scaleTimeout(30_000),
);
