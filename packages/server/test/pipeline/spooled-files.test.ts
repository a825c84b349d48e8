/** Stored files of forms: where they are stored, what they may take of memory, descriptors and disk, and that all of it is given back. */
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test as anywhere } from '@jest/globals';
import { scaleTimeout, until, withApp } from 'specwright/testing';
import type { SpooledFile } from '@specwright/server';
import { BodyBudget } from '../../src/pipeline/body/body-budget.ts';
import { readMultipart } from '../../src/pipeline/body/multipart/read-multipart.ts';
import { TemporaryFile } from '../../src/pipeline/body/multipart/temporary-file.ts';
import { headOf, rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

// Descriptors are read from /proc.
const test = process.platform === 'linux' ? anywhere : anywhere.skip;

const SPOOL_BUDGET = 1_000_000;
const REQUEST_TIMEOUT_MS = 1000;
const OK = "responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }";
const FILES = 'files: { type: array, maxItems: 1000, items: { type: string, format: binary } }';
const YAML = `paths:
  /files: { post: { operationId: upload, x-body-limit: 2000000, requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { ${FILES}, note: { type: string } } } } } }, ${OK} } }`;

type Reply = (status: number, payload: object) => unknown;
type Handler = (files: readonly SpooledFile[], reply: Reply) => unknown;
const countFiles: Handler = (files, reply) => reply(200, { body: { count: files.length } });
let handler = countFiles;
const app = withApp(() =>
  serve(YAML, {
    handlers: { upload: ({ files }: { files: readonly SpooledFile[] }, reply: Reply) => handler(files, reply) },
    spoolBudgetBytes: SPOOL_BUDGET,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    metrics: { maxAgeMs: 0 },
  }),
);

const taken = async () => {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return ['http_server_body_bytes', 'http_server_spooled_bytes'].map((name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]));
};
/** Open descriptors of temporary files. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('/upload-');
    } catch {
      return false;
    }
  });
const descriptors = () => openFiles().length;

afterEach(async () => {
  handler = countFiles;
  await until(async () => (await taken()).every((bytes) => bytes === 0));
  await until(() => descriptors() === 0);
});

const bytesOf = (i: number, length: number) => Buffer.alloc(length, `${i} abcdefghijk`);
function form(...lengths: number[]): FormData {
  const data = new FormData();
  for (const [i, length] of lengths.entries()) data.append('files', new Blob([bytesOf(i, length)]), `${i}`);
  return data;
}
const send = (...lengths: number[]) => fetch(`${app.url}/files`, { method: 'POST', body: form(...lengths) });
/** Sends a file to a handler that waits. @returns its response, and what lets the handler go on. Those after it do not wait. */
async function sendHeld(length: number): Promise<{ first: Promise<Response>; release: () => void }> {
  let release: (() => void) | undefined;
  handler = async (files, reply) => {
    await new Promise<void>((resolve) => (release = resolve));
    return countFiles(files, reply);
  };
  const first = send(length);
  await until(() => release !== undefined);
  handler = countFiles;
  return { first, release: () => release?.() };
}
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a temporary file is readable for its owner alone, and has no name', async () => {
  let seen: unknown;
  handler = (files, reply) => {
    seen = openFiles().map((fd) => {
      const { mode, nlink } = statSync(`/proc/self/fd/${fd}`);
      return [mode & 0o777, nlink];
    });
    return countFiles(files, reply);
  };
  expect((await send(200_000)).status).toBe(200);
  expect(seen).toEqual([[0o600, 0]]);
});

test('a file of at most 64 KiB takes no descriptor, and its bytes are counted in the budget of memory', async () => {
  let seen: unknown;
  handler = async (files, reply) => {
    const [memory = 0, disk] = await taken();
    seen = [descriptors(), disk, memory >= 65_536, (await buffer((files[0] as SpooledFile).stream)).length];
    return countFiles(files, reply);
  };
  expect((await send(65_536)).status).toBe(200);
  expect(seen).toEqual([0, 0, true, 65_536]);
});

test('1,000 files of a request take one descriptor, and each has its own bytes', async () => {
  let open = 0;
  let digests: string[] = [];
  handler = async (files, reply) => {
    open = descriptors();
    digests = await Promise.all(files.map(async ({ stream }) => sha(await buffer(stream))));
    return countFiles(files, reply);
  };
  const lengths = Array.from({ length: 1000 }, (_, i) => 300 + i);
  const response = await send(...lengths);
  expect([response.status, await response.json()]).toEqual([200, { count: 1000 }]);
  expect(open).toBe(1);
  expect(digests).toEqual(lengths.map((length, i) => sha(bytesOf(i, length))));
});

test('a file in memory and one on disk are read in parts, as often as they are needed, and not after the request', async () => {
  let late: Readable | undefined;
  const parts: string[] = [];
  handler = async (files, reply) => {
    for (const file of files) {
      const read = async (range?: object) => (await buffer(file.createReadStream(range))).toString();
      const whole = await read();
      expect(whole).toBe((await buffer(file.stream)).toString());
      expect(await read({ start: 5, end: 70_000 })).toBe(whole.slice(5, 70_001));
      expect(await read({ start: file.size })).toBe('');
      parts.push(await read({ start: 2, end: 4 }));
    }
    late = files[1]?.createReadStream();
    return countFiles(files, reply);
  };
  expect((await send(10, 200_000)).status).toBe(200);
  expect(parts).toEqual(['abc', 'abc']);
  await until(() => descriptors() === 0);
  await expect(buffer(late as Readable)).rejects.toThrow('the request has ended');
});

test('the files of all requests are within the budget of bytes on disk: a request waits, and is answered 503 with Retry-After', async () => {
  const { first, release } = await sendHeld(900_000);
  expect((await taken())[1]).toBe(900_000);
  const [refused, small] = await Promise.all([send(200_000), send(60_000)]);
  expect([refused.status, refused.headers.get('Retry-After'), small.status]).toEqual([503, '1', 200]);
  const waiting = send(200_000);
  release();
  expect([(await first).status, (await waiting).status]).toEqual([200, 200]);
});

test('a field is given back, though the body has ended while the file before it is written', async () => {
  const { first, release } = await sendHeld(900_000);
  // It waits for room on disk.
  const begun = `--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n${'x'.repeat(120_000)}`;
  const rest = `${'x'.repeat(5000)}\r\n--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n${'y'.repeat(1000)}\r\n--b--\r\n`;
  const client = await rawClient(app.url);
  client.write(
    headOf('/files', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': begun.length + rest.length }) + begun,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  client.write(rest);
  await new Promise((resolve) => setTimeout(resolve, 100));
  release();
  expect([await client.status(), (await first).status]).toEqual([200, 200]);
  client.socket.destroy();
});

test('files that are larger than the budget of bytes on disk are answered 413', async () => {
  expect((await send(700_000, 700_000)).status).toBe(413);
});

test('64 temporary files are open at most, and the next one waits for one of them', async () => {
  // As long as a busy machine may take to close a file.
  const budget = new BodyBudget(64_000, scaleTimeout(300));
  const create = () => new TemporaryFile(budget, 1, 'a', undefined);
  const files = Array.from({ length: 64 }, create);
  await Promise.all(files.map((file) => file.append(Buffer.from('x'))));
  expect([descriptors(), budget.used]).toEqual([64, 64_000]);
  const refused = create();
  await expect(refused.append(Buffer.from('x'))).rejects.toMatchObject({ code: 'service_unavailable' });
  await refused.close();
  const next = create();
  const appended = next.append(Buffer.from('x'));
  await files[0]?.close();
  await appended;
  expect(descriptors()).toBe(64);
  await Promise.all([...files, next].map((file) => file.close()));
  expect(budget.used).toBe(0);
});

test('a file that is closed while it waits for the budget is not created', async () => {
  const budget = new BodyBudget(64_000, 10_000);
  const [first, second] = [new TemporaryFile(budget, 64_000, 'a', undefined), new TemporaryFile(budget, 64_000, 'a', undefined)];
  await first.append(Buffer.alloc(64_000));
  const appended = second.append(Buffer.from('x'));
  await second.close();
  await expect(appended).rejects.toThrow('the request has ended');
  await first.close();
  expect([budget.used, descriptors()]).toEqual([0, 0]);
});

test('what is stored after the response has ended is given back', async () => {
  const [budget, spoolBudget] = [new BodyBudget(1_000_000, 1000), new BodyBudget(1_000_000, 1000)];
  const exchange = {
    request: { headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    service: { bucketOf: () => 'a' },
    isClosed: false,
    onRelease: (_until: string, release: () => unknown) => release(),
  };
  const file = { isList: true, minCount: 0, maxCount: 9, minBytes: 0, maxBytes: Infinity, types: [] };
  const parts = { fields: {} as never, files: new Map([['files', file]]), requiredFields: [], isSpooled: true };
  const part = (length: number) => `--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n${'x'.repeat(length)}\r\n`;
  const body = Readable.from([Buffer.from(`${part(10)}${part(200_000)}--b--\r\n`)]);
  await readMultipart(exchange as never, body, { parts, maxFieldsBytes: 1000, budget, spoolBudget, maxBytes: 1_000_000 });
  await until(() => budget.used + spoolBudget.used + descriptors() === 0);
});

test('a handler that throws, and one whose deadline passes, give everything back', async () => {
  handler = () => {
    throw new Error('broken');
  };
  expect((await send(1000, 200_000)).status).toBe(500);
  let end: (() => void) | undefined;
  handler = async (files, reply) => {
    await new Promise<void>((resolve) => (end = resolve));
    return countFiles(files, reply);
  };
  expect((await send(1000, 200_000)).status).toBe(503);
  await until(() => descriptors() === 0);
  expect((await taken())[1]).toBe(0);
  end?.();
});

test('a client that goes away gives everything back, in a file and while its handler runs', async () => {
  let hasBegun = false;
  handler = () => {
    hasBegun = true;
    return new Promise<never>(() => undefined);
  };
  const part = `--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n${'x'.repeat(200_000)}`;
  const whole = `${part}\r\n--b--\r\n`;
  const head = `POST /files HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${whole.length}\r\n\r\n`;
  for (const text of [part, whole]) {
    const client = await rawClient(app.url);
    client.write(head + text);
    await until(async () => ((await taken())[1] ?? 0) >= 190_000 && (text === part || hasBegun));
    client.socket.destroy();
    await until(async () => (await taken())[1] === 0);
  }
});
