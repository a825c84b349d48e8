/** What memory uploads take: of a process of its own, so that nothing else is measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, jest, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { ROOT, withProgram } from '../support/program.ts';

const MIB = 1024 * 1024;
/** What V8 has not collected yet of what was read, in MiB. */
const SLACK = 150;
jest.setTimeout(scaleTimeout(120_000));

const program = withProgram('uploads');

async function measure<T>(budget: number, use: (port: number) => Promise<T>): Promise<{ result: T; mib: number }> {
  const child = spawn(process.execPath, [program, String(budget)], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const result = await use(Number(line.toString())).finally(() => child.kill('SIGTERM'));
  await once(child, 'close');
  return { result, mib: Number(Buffer.concat(errors).toString()) };
}

const BYTES = Buffer.alloc(MIB, 'x');
/** Each of 1 KiB. */
const LINES = Buffer.from(`{"name":"${'x'.repeat(1024 - 12)}"}\n`.repeat(1024));
function* blocks(count: number, block: Buffer) {
  for (let i = 0; i < count; i++) yield block;
}

/** @returns the status, or why there is none. */
async function upload(port: number, path: string, mib: number, block = BYTES): Promise<number | string> {
  const type = block === LINES ? 'application/jsonl' : 'application/octet-stream';
  const headers = { 'Content-Type': type, 'Content-Length': mib * MIB };
  const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers });
  const answered = once(sent, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
  // A client that is refused in the middle may be cut off while it still sends.
  const sending = pipeline(Readable.from(blocks(mib, block)), sent).catch(() => undefined);
  try {
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    sent.destroy();
    await sending;
  }
}

test('20 uploads of 40 MiB at once, read whole, take no more than the budget, and all are answered', async () => {
  const budget = 100;
  const { result, mib } = await measure(budget * MIB, async (port) => {
    const uploads = Promise.all(Array.from({ length: 20 }, () => upload(port, '/whole', 40)));
    const small = await upload(port, '/whole', 0);
    return { small, statuses: await uploads };
  });
  expect(result.small).toBe(204);
  expect(result.statuses.filter((status) => status !== 204 && status !== 503)).toEqual([]);
  expect(result.statuses.filter((status) => status === 204).length).toBeGreaterThan(1);
  expect(mib).toBeLessThan(budget + SLACK);
});

test('a streamed upload of 1 GiB takes no more than a small one', async () => {
  const { result, mib } = await measure(4 * MIB, (port) => upload(port, '/stream', 1024));
  expect(result).toBe(204);
  expect(mib).toBeLessThan(SLACK);
});

test('half a million items of 1 KiB take no more than a few', async () => {
  const { result, mib } = await measure(4 * MIB, (port) => upload(port, '/items', 512, LINES));
  expect(result).toBe(204);
  expect(mib).toBeLessThan(SLACK);
});
