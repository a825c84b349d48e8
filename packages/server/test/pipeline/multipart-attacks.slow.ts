/** Hostile multipart bodies, a thousand times each kind of end: nothing is left on disk, of descriptors, or of the budget of bytes. */
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, jest, test } from '@jest/globals';
import { scaleTimeout, until, withApp } from 'specwright/testing';
import { rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

jest.setTimeout(scaleTimeout(180_000));

const TIMES = 1000;
const AT_ONCE = 20;
const LIMIT = 2_000_000;
const OK = "responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }";
const SCHEMA =
  'schema: { type: object, properties: { text: { type: string }, file: { type: string, format: binary, maxLength: 1000000 } } }';
const operation = (id: string, more: string) =>
  `{ post: { operationId: ${id}, x-body-limit: ${LIMIT}, requestBody: { required: true, content: { multipart/form-data: { ${more} ${SCHEMA} } } }, ${OK} } }`;
const YAML = `paths:
  /streamed: ${operation('streamed', 'x-multipart: stream,')}
  /spooled: ${operation('spooled', '')}
`;

type Input = { body: object; files: AsyncIterable<{ filename?: string; stream: Readable }> };
type Reply = (status: number, payload: object) => unknown;
const read = async ({ files }: Input, reply: Reply) => {
  const names: (string | undefined)[] = [];
  let bytes = 0;
  for await (const { filename, stream } of files) {
    for await (const chunk of stream) bytes += (chunk as Buffer).length;
    names.push(filename);
  }
  return reply(200, { body: { names, bytes } });
};
const app = withApp(() => serve(YAML, { handlers: { streamed: read, spooled: read }, metrics: { maxAgeMs: 0 } }));

const part = (head: string, text: string | Buffer) =>
  Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(text), Buffer.from('\r\n')]);
const field = (text: string) => part('Content-Disposition: form-data; name="text"', text);
const file = (bytes: string | Buffer, filename = 'a') => part(`Content-Disposition: form-data; name="file"; filename="${filename}"`, bytes);
const body = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--b--\r\n')]);
const ZEROS = Buffer.alloc(900_000);

/** What is sent, with the statuses that may be answered. */
const ATTACKS: Record<string, { bytes: Buffer; headers?: Record<string, string>; statuses: number[]; times?: number }> = {
  'endless header fields': { bytes: Buffer.from(`--b\r\n${'x: y\r\n'.repeat(100_000)}`), statuses: [400] },
  'a million parts': {
    bytes: Buffer.from(`--b\r\n${'Content-Disposition: form-data; name=text\r\n\r\n\r\n--b\r\n'.repeat(30_000)}`),
    statuses: [400],
    times: 200,
  },
  'another boundary': { bytes: Buffer.from(body(field('a'), file('b')).toString().replaceAll('--b', '--c')), statuses: [400] },
  'a boundary within a boundary': { bytes: body(file(`x\r\n--b\r\n--b\r\n`)), statuses: [400] },
  'a small body that is large': {
    bytes: gzipSync(body(file(Buffer.alloc(50_000_000)))),
    headers: { 'Content-Encoding': 'gzip' },
    statuses: [413],
    times: 100,
  },
  'a path as filename': { bytes: body(file('x', '../../etc/passwd')), statuses: [200] },
  'a header in a filename': { bytes: body(file('x', 'a%0D%0ASet-Cookie: a=b')), statuses: [400] },
  'a file that is too large': { bytes: body(file(Buffer.alloc(1_000_001))), statuses: [413], times: 200 },
  'a file, and then what is wrong': {
    bytes: body(field('a'), file(ZEROS), part('Content-Disposition: form-data; name="other"', 'x')),
    statuses: [400],
    times: 200,
  },
};

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('upload-'));
/** Open descriptors of temporary files, named or not. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('/upload-');
    } catch {
      return false;
    }
  });
const bodyBytes = async () => Number(/^http_server_body_bytes (\d+)/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1]);

afterEach(async () => {
  await until(async () => (await bodyBytes()) === 0);
  await until(() => openFiles().length === 0);
  // A file has a name for as long as it takes to remove it, those of other processes too.
  await until(() => leftovers().length === 0);
  expect((await fetch(`${app.url}/streamed`, { method: 'POST', body: new Blob([body(field('a'))]), headers: TYPE })).status).toBe(200);
});

const TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' };

async function repeat(times: number, run: (i: number) => Promise<void>): Promise<void> {
  let begun = 0;
  const worker = async () => {
    for (let i = begun++; i < times; i = begun++) await run(i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

test.each(['/streamed', '/spooled'].flatMap((path) => Object.keys(ATTACKS).map((name) => [name, path] as const)))(
  '%s, to %s',
  async (name, path) => {
    const { bytes, headers = {}, statuses, times = TIMES } = ATTACKS[name] as (typeof ATTACKS)[string];
    const seen = new Set<number>();
    await repeat(times, async () => {
      // A refused client may be cut off while it sends.
      const response = await fetch(app.url + path, {
        method: 'POST',
        body: new Blob([bytes as never]),
        headers: { ...TYPE, ...headers },
      }).catch(() => undefined);
      if (response === undefined) return;
      seen.add(response.status);
      const { names } = (await response.json()) as { names?: (string | undefined)[] };
      for (const one of names ?? []) expect(one).not.toMatch(/[/\\\r\n]/);
    });
    expect([...seen]).toEqual(statuses);
  },
);

/** Where a client goes away, as a part of the body. */
const PHASES: Record<string, (whole: Buffer) => number> = {
  'before the body': () => 0,
  'in the first boundary': () => 2,
  'in the header fields of a field': () => 20,
  'in a field': (whole) => whole.indexOf('text of the field') + 4,
  'in the header fields of a file': (whole) => whole.indexOf('filename') + 3,
  'at the beginning of a file': (whole) => whole.indexOf('BYTES'),
  'in a file': (whole) => whole.indexOf('BYTES') + 200_000,
  'in the last boundary': (whole) => whole.length - 4,
};

test.each(['/streamed', '/spooled'].flatMap((path) => Object.keys(PHASES).map((name) => [name, path] as const)))(
  'clients that go away %s, to %s',
  async (name, path) => {
    const whole = body(field('text of the field'), file(Buffer.concat([Buffer.from('BYTES'), Buffer.alloc(400_000)])));
    const length = (PHASES[name] as (whole: Buffer) => number)(whole);
    await repeat(TIMES, async (i) => {
      const client = await rawClient(app.url);
      const written = new Promise((resolve) => client.socket.once('close', resolve).once('drain', resolve));
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${TYPE['Content-Type']}\r\nContent-Length: ${whole.length}\r\n\r\n`;
      const isFlushed = client.socket.write(Buffer.concat([Buffer.from(head), whole.subarray(0, length)]));
      if (!isFlushed) await written;
      // At once, or once the server has begun to read.
      if (i % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      if (i % 3 === 0) client.socket.resetAndDestroy();
      else client.socket.destroy();
    });
  },
);
