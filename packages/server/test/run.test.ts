/** A process never ends without a last line in its log, and never takes longer than SHUTDOWN_TIMEOUT to stop. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { killProcesses, scaleTimeout, startProcess, until } from 'specwright/testing';
import { ROOT, withProgram } from './support/program.ts';

afterEach(killProcesses);

const program = withProgram('failing-service');
const start = (failure: string, env = {}) => startProcess({ program, args: [failure], cwd: ROOT, env });

const lastLine = (text: string) => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { level: string; msg: string; err: Error };

test.each([
  ['exception', 'nobody catches this', 'the process ends by an uncaught error'],
  ['rejection', 'nobody waits for this', 'the process ends by an uncaught error'],
  ['start', 'nothing works', 'the service cannot be started'],
])('%s: exits with 1, and the last line of the log says why', async (failure, message, msg) => {
  const { exited, output } = start(failure);
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(lastLine(output.stdout)).toMatchObject({ level: 'fatal', msg, err: { message } });
  expect(output.stderr).toBe('');
});

test('the reason why it cannot be started has the stack of a defect, and of no other error', async () => {
  const logged = async (failure: string) => {
    const { exited, output } = start(failure);
    await exited;
    return lastLine(output.stdout).err;
  };
  expect(await logged('start')).toEqual({ name: 'Error', message: 'nothing works' });
  expect(await logged('start-defect')).toMatchObject({ name: 'ReferenceError', stack: expect.stringContaining('failing-service') });
});

test.each([
  [{ LOG_LEVEL: 'silent' }, 'nothing works\n'],
  [{ LOG_FORMAT: 'pretty' }, 'nothing works\n'],
  [{ LOG_FORMAT: 'xml' }, 'the environment is not valid:\n  LOG_FORMAT must be json or pretty, not "xml"\n'],
])('with %j the reason why it cannot be started is text on standard error alone', async (env, reason) => {
  const { exited, output } = start('start', env);
  expect(await exited).toEqual({ code: 1, signal: null });
  expect([output.stdout.replace('started\n', ''), output.stderr]).toEqual(['', reason]);
});

test('a greeting that cannot be written does not end the service', () => {
  const output = openSync(program, 'r');
  const { status, stderr } = spawnSync(process.execPath, [program, 'greets'], { cwd: ROOT, stdio: ['ignore', output, 'pipe'] });
  closeSync(output);
  expect([status, String(stderr)]).toEqual([0, '']);
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

test('SIGUSR2 is ignored, with a line', async () => {
  const service = start('nothing');
  await service.waitForOutput(/started/);
  service.child.kill('SIGUSR2');
  await service.waitForOutput(/SIGUSR2/);
  expect(lastLine(service.output.stdout)).toMatchObject({
    level: 'warn',
    signal: 'SIGUSR2',
    msg: 'SIGUSR2 is ignored',
  });
  service.child.kill('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

test('what libraries print on standard error, and warnings of the process, are lines of the log, and text only for people', async () => {
  const logged = async (env: Record<string, string>) => {
    const service = start('warns', env);
    await until(() => /background failed/.test(service.output.stdout + service.output.stderr));
    service.child.kill('SIGTERM');
    await service.exited;
    return service.output;
  };
  const { stdout, stderr } = await logged({});
  const [, ...lines] = stdout.trimEnd().split('\n');
  expect([lines.map((line) => JSON.parse(line) as object), stderr]).toMatchObject([
    [
      { level: 'warn', err: { message: 'a connection was lost' } },
      { level: 'error', msg: 'retried 3 times' },
      { level: 'warn', err: { message: 'work in the background failed: no' } },
      { level: 'info', msg: 'stopping' },
      { level: 'info', msg: 'stopped' },
    ],
    '',
  ]);
  for (const env of [{ LOG_FORMAT: 'pretty' }, { LOG_LEVEL: 'silent' }] as Record<string, string>[])
    expect((await logged(env)).stderr).toMatch(/a connection was lost[^]*retried 3 times[^]*Warning: work in the background failed: no/);
});
