/** Parts of multipart bodies, read in chunks of any length, and compared with what another parser reads. */
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { expect, test } from '@jest/globals';
import { PartReader } from '../../src/pipeline/body/multipart/part-reader.ts';

interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly bytes: string;
}

/** Pseudorandom numbers below `n`, the same in every run. */
function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * n);
  };
}

const BOUNDARIES = ['b', '-', '--', 'a-b--', '----WebKitFormBoundaryX1', "'()+_,./:=?"];
/** What looks like the beginning of a boundary, and is none. */
const pieces = (boundary: string) => [
  'a',
  '\r',
  '\n',
  '\r\n',
  '-',
  '--',
  '\r\n-',
  '\r\n--',
  `\r\n--${boundary.slice(0, -1)}`,
  `--${boundary}`,
  `\n--${boundary}`,
  'xyz'.repeat(40),
];

function makeBody(random: (n: number) => number): { boundary: string; parts: Part[]; body: Buffer } {
  const boundary = BOUNDARIES[random(BOUNDARIES.length)] as string;
  const parts = Array.from({ length: 1 + random(4) }, (_, i): Part => {
    const all = pieces(boundary);
    const bytes = Array.from({ length: random(8) }, () => all[random(all.length)]).join('');
    return { name: `p${i}`, filename: random(2) === 0 ? undefined : 'f.bin', bytes: bytes.includes(`\r\n--${boundary}`) ? 'x' : bytes };
  });
  const text = parts.map(({ name, filename, bytes }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${bytes}\r\n`;
  });
  return { boundary, parts, body: Buffer.from(`${text.join('')}--${boundary}--${random(2) === 0 ? '\r\n' : ''}`, 'latin1') };
}

function* split(body: Buffer, random: (n: number) => number): Generator<Buffer> {
  for (let at = 0; at < body.length;) {
    const length = 1 + random(random(3) === 0 ? 2 : 60);
    yield body.subarray(at, at + length);
    at += length;
  }
}

async function readParts(chunks: Iterable<Buffer>, boundary: string): Promise<Part[]> {
  const reader = new PartReader(Readable.from(chunks), boundary, () => undefined);
  const parts: Part[] = [];
  for (let head = await reader.next(); head !== undefined; head = await reader.next()) {
    const bytes: Buffer[] = [];
    for (let chunk = await reader.read(); chunk !== undefined; chunk = await reader.read()) bytes.push(chunk);
    parts.push({ name: head.name, filename: head.filename, bytes: Buffer.concat(bytes).toString('latin1') });
  }
  return parts;
}

function readWithBusboy(body: Buffer, boundary: string): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = [];
    const parser = new Busboy({ headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` }, defCharset: 'latin1' });
    parser.on('field', (name, bytes) => parts.push({ name, filename: undefined, bytes }));
    parser.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => parts.push({ name, filename, bytes: Buffer.concat(chunks).toString('latin1') }));
    });
    parser.on('finish', () => resolve(parts)).on('error', reject);
    parser.end(body);
  });
}

const byName = (parts: readonly Part[]) => [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));

test('reads what was sent, however it is cut into chunks, as busboy does', async () => {
  const random = createRandom(7);
  for (let i = 0; i < 1500; i++) {
    const { boundary, parts, body } = makeBody(random);
    const expected = { i, body: body.toString('latin1'), parts };
    expect({ ...expected, parts: await readParts(split(body, random), boundary) }).toEqual(expected);
    // A part that begins with the boundary is none to busboy: nobody chooses such a boundary.
    if (i % 5 === 0 && !parts.some(({ bytes }) => bytes.startsWith(`--${boundary}`)))
      expect({ ...expected, parts: byName(await readWithBusboy(body, boundary)) }).toEqual(expected);
  }
});

test('refuses a body that is cut off anywhere', async () => {
  const random = createRandom(3);
  for (let i = 0; i < 20; i++) {
    const { boundary, body } = makeBody(random);
    const end = body.lastIndexOf(`--${boundary}--`) + boundary.length + 4;
    for (let length = 0; length < end; length += 1 + random(5))
      await expect(readParts(split(body.subarray(0, length), random), boundary)).rejects.toThrow('the body ends before its last boundary');
  }
});

test('reads nothing after a failure, and fails with the first one', async () => {
  const told: Error[] = [];
  const body = Buffer.from('--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--');
  const reader = new PartReader(Readable.from([body]), 'b', (error) => told.push(error));
  await reader.next();
  const failure = new Error('the file is too large');
  expect([reader.fail(failure), reader.fail(new Error('another'))]).toEqual([failure, failure]);
  await expect(async () => reader.read()).rejects.toBe(failure);
  await expect(async () => reader.next()).rejects.toBe(failure);
  expect(told).toEqual([failure]);
});

test('reads no further than it is asked to', async () => {
  let chunks = 0;
  const source = Readable.from(
    (function* () {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\n');
      for (; chunks < 1000; chunks++) yield Buffer.alloc(1000, 'x');
      yield Buffer.from('\r\n--b--');
    })(),
    { highWaterMark: 1 },
  );
  const reader = new PartReader(source, 'b', () => undefined);
  await reader.next();
  await reader.read();
  expect(chunks).toBeLessThan(5);
  expect(await reader.next()).toBeUndefined();
  expect(chunks).toBe(1000);
});
