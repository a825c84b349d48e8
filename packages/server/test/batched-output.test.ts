/** The log is written in batches, and no line is lost however the process ends. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { killProcesses, startProcess } from 'specwright/testing';
import { ROOT, withProgram } from './support/program.ts';

afterEach(killProcesses);

const program = withProgram('logging');
const start = (end: string) => startProcess({ program, args: [end], cwd: ROOT });

const linesOf = (text: string) => text.trimEnd().split('\n');

test.each([
  ['nothing', 0],
  ['exit', 0],
  ['exception', 1],
])('%s: all lines are written before the process exits with %i, by few system calls', async (end, code) => {
  const { exited, output } = start(end);
  expect(await exited).toEqual({ code, signal: null });
  const lines = linesOf(output.stdout);
  expect(lines).toHaveLength(1000);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ i: 999, msg: 'a line' });
  // 1000 lines of 80 bytes, 32 KiB at once.
  expect(Number(linesOf(output.stderr)[0])).toBeLessThanOrEqual(6);
});

test('an error is written at once', async () => {
  const { exited, output } = start('error');
  await exited;
  expect(Number(linesOf(output.stderr)[0])).toBeGreaterThan(0);
});

test('errors that cause each other are logged, up to a bound', async () => {
  const { exited, output } = start('cause');
  expect(await exited).toEqual({ code: 0, signal: null });
  const { err, msg } = JSON.parse(linesOf(output.stdout).at(-1) ?? '') as { err: { cause: object }; msg: string };
  expect(msg).toBe('errors that cause each other');
  expect([err, err.cause]).toMatchObject([{ message: 'of itself' }, { message: 'of the other' }]);
});

test('lines are written while the process lives', async () => {
  const service = start('wait');
  await service.waitForOutput(/"i":999/);
  service.child.kill('SIGKILL');
  await service.exited;
});

test('a process whose output cannot be written goes on', () => {
  // Opened for reading alone: as on a disk that is full, and in a terminal that was closed, each write fails.
  const output = openSync(program, 'r');
  const { status, stderr } = spawnSync(process.execPath, [program, 'error'], { cwd: ROOT, stdio: ['ignore', output, 'pipe'] });
  closeSync(output);
  expect([status, String(stderr).match(/[A-Z]{4,}/g)]).toEqual([0, null]);
});
