/** A log whose reader stops loses lines beyond a bound, says how many, and never stops the service. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { createBatchedOutput } from '../../src/log/logger.ts';

let folder: string;
let ends: { reader: number; writer: number };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log '));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  ends = { reader, writer: openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK) };
});
afterEach(async () => {
  for (const end of [ends.reader, ends.writer]) closeSync(end);
  await removeFolder(folder);
});

/** Everything that is in the pipe, and what is written to it until it stays empty. */
async function readAll(): Promise<string> {
  const chunk = Buffer.alloc(65536);
  let text = '';
  for (let empty = 0; empty < 5;) {
    try {
      text += chunk.toString('utf8', 0, readSync(ends.reader, chunk));
      empty = 0;
    } catch {
      empty++;
      await sleep(30);
    }
  }
  return text;
}

const LINE = `${'x'.repeat(999)}\n`;

test('lines wait for a reader up to a bound; more are dropped at once, counted, and told when it reads again', async () => {
  const told: number[] = [];
  const output = createBatchedOutput(ends.writer, { onDropped: (lines) => told.push(lines) });
  const began = performance.now();
  const count = 3000;
  for (let i = 0; i < count; i++) output.write(LINE);
  output.flushSync();
  expect(performance.now() - began).toBeLessThan(1000);
  expect(output.droppedLines()).toBeGreaterThan(1500);
  expect(told).toEqual([]);

  const text = await readAll();
  const lines = text.split('\n').slice(0, -1);
  // Whole lines, although the pipe took a part of one.
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set([999]));
  expect(lines.length + output.droppedLines()).toBe(count);
  expect(told).toEqual([output.droppedLines()]);

  output.write('after\n');
  output.flushSync();
  expect(await readAll()).toBe('after\n');
});

test('a reader that is slow loses nothing', async () => {
  const output = createBatchedOutput(ends.writer, {});
  for (let i = 0; i < 500; i++) output.write(LINE);
  output.flushSync();
  expect((await readAll()).length).toBe(500 * LINE.length);
  expect(output.droppedLines()).toBe(0);
});
