/** A process never ends without a last line in its log, and never takes longer than SHUTDOWN_TIMEOUT to stop. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { killProcesses, scaleTimeout, startProcess } from '@specwright/testing';

afterEach(killProcesses);

function start(failure: string) {
  const nodeArgs = ['--conditions=@specwright/source', '--import', 'tsx'];
  return startProcess({
    program: fileURLToPath(new URL('programs/failing-service.ts', import.meta.url)),
    args: [failure],
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    nodeArgs,
  });
}

const lastLine = (text: string) => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { level: string; msg: string; err: Error };

test.each([
  ['exception', 'nobody catches this', 'the process ends by an error that nobody has caught'],
  ['rejection', 'nobody waits for this', 'the process ends by an error that nobody has caught'],
  ['start', 'nothing works', 'the service cannot be started'],
])('%s: exits with 1, and the last line of the log says why', async (failure, message, msg) => {
  const { exited, output } = start(failure);
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(lastLine(output.stdout)).toMatchObject({ level: 'fatal', msg, err: { message } });
  expect(output.stderr).toBe(`${message}\n`);
});

test.each([
  ['stop-hangs', 'not stopped within 500 ms'],
  ['stop-fails', 'it does not stop'],
])('%s: exits with 1 within the shutdown timeout, and the last line of the log says so', async (failure, message) => {
  const service = start(failure);
  const { child, exited, output } = service;
  await service.waitForOutput(/started/);
  const began = performance.now();
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(performance.now() - began).toBeLessThan(500 + scaleTimeout(300));
  expect(lastLine(output.stdout)).toMatchObject({ level: 'fatal', msg: 'stopping failed', err: { message } });
});

test.each(['start-waits', 'nothing'])('%s: SIGTERM exits with 0', async (failure) => {
  const service = start(failure);
  const { child, exited, output } = service;
  await service.waitForOutput(/started/);
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(output.stderr).toBe('');
});
