/** The work of a verdict is bounded by the bytes that were sent: for each keyword, format, shape and location, on values that are made to be expensive. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { MAX_GROWTH } from './growth.ts';
import type { MeasuredRow } from './measure-rows.ts';
import { ROWS } from './rows.ts';

/** What the modules take, and 64 MB. */
const HEAP_MB = 48 + 64;
const PROGRAM = fileURLToPath(new URL('measure-rows.ts', import.meta.url));

const results = new Map<string, string | MeasuredRow['slow']>();

/** Measures rows from one on, until the process ends. @returns the number of rows that it has done, one that ended it among them. */
async function measureFrom(first: number): Promise<number> {
  const options = [`--max-old-space-size=${HEAP_MB}`, '--conditions=@specwright/source', '--import', 'tsx'];
  const child = spawn(process.execPath, [...options, PROGRAM, String(first)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let done = 0;
  let running: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    const row = JSON.parse(line) as MeasuredRow & { isStarted?: true };
    running = row.isStarted === true ? row.name : undefined;
    if (row.isStarted === true) continue;
    results.set(row.name, row.slow);
    done++;
  }
  await exited;
  if (running === undefined && first + done < ROWS.length) throw new Error(stderr);
  if (running === undefined) return done;
  results.set(running, /heap/.test(stderr) ? `takes more than ${HEAP_MB} MB of heap` : stderr);
  return done + 1;
}

beforeAll(async () => {
  for (let next = 0; next < ROWS.length;) next += await measureFrom(next);
}, 600_000);

test.each(ROWS.map(({ name }) => name))(`the time of %s grows at most ${MAX_GROWTH} times faster than the bytes`, (name) => {
  expect(results.get(name)).toEqual([]);
});
