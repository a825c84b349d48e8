/** Workers of one service: who gets connections, and what becomes of requests when a worker, or the first process, ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test as testWithin } from '@jest/globals';
import { killProcesses, scaleTimeout, startProcess, until, type TestProcess } from 'specwright/testing';
import { createLoadClient, type LoadClient } from '../../../../test/support/tools/load-client.ts';
import { logLines } from '../../../../test/support/tools/log-lines.ts';
import { ROOT, withProgram } from '../support/program.ts';

const program = withProgram('workers');
let folder: string;
let server: TestProcess;
const clients: LoadClient[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'workers-test-'));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await killProcesses();
  rmSync(folder, { recursive: true });
});
const test = (name: string, run: () => Promise<void>) => testWithin(name, run, scaleTimeout(60_000));

interface Line {
  readonly worker: number;
  readonly pid: number;
  readonly pause?: number;
}
const linesOf = (msg: string): Line[] => logLines(server, msg);
const pidOf = (worker: number): number => linesOf('the worker serves').findLast((line) => line.worker === worker)?.pid ?? 0;
const ended = () => linesOf('a worker has ended: another takes its place');
const file = (name: string): void => writeFileSync(join(folder, name), '');
const removeFile = (name: string): void => rmSync(join(folder, name));

const spawn = (options: object = {}): TestProcess =>
  (server = startProcess({ program, args: [folder, JSON.stringify(options)], cwd: ROOT }));

/** Starts the service. @returns a function that makes a client with a connection for each request. */
async function start(options?: object): Promise<() => LoadClient> {
  const url = await spawn(options).url();
  await until(() => linesOf('the worker serves').length === 2, scaleTimeout(20_000));
  return () => {
    const client = createLoadClient(url, { connections: 'fresh', timeoutMs: scaleTimeout(1500) });
    clients.push(client);
    return client;
  };
}

/** Sends one after another. @returns statuses and errors, and which workers answered. */
async function ask(client: LoadClient, count: number) {
  const outcomes = new Set<number | string>();
  const pids = new Set<number>();
  for (let i = 0; i < count; i++) {
    const { status, error, body } = await client.send('GET', '/pid');
    outcomes.add(error ?? status);
    pids.add(Number(body));
  }
  return { outcomes: [...outcomes], pids: [...pids].sort() };
}

test('the first one starts alone, does what is done once, and greets; then all serve', async () => {
  const connect = await start();
  expect(linesOf('starting')).toMatchObject([
    { worker: 1, isFirstWorker: true },
    { worker: 2, isFirstWorker: false },
  ]);
  expect(server.output.stdout.match(/ listens on /g)).toHaveLength(1);
  expect(await ask(connect(), 10)).toEqual({ outcomes: [200], pids: [pidOf(1), pidOf(2)].sort() });
});

test('what one has under way is lost when it is killed; another takes its place, with connections once its start has ended', async () => {
  const connect = await start();
  const before = pidOf(1);
  const slow = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const answer = connect().send('GET', '/slow');
      await sleep(20);
      return answer;
    }).concat(
      sleep(200).then(() => {
        file('waits');
        process.kill(before, 'SIGKILL');
        return undefined as never;
      }),
    ),
  );
  expect(slow.slice(0, 4).map(({ status, error }) => error ?? status)).toEqual(expect.arrayContaining([200, 'ECONNRESET']));
  await until(() => linesOf('starting').length === 3, 20_000);
  await sleep(500);
  expect(await ask(connect(), 10)).toEqual({ outcomes: [200], pids: [pidOf(2)] });
  removeFile('waits');
  await until(() => pidOf(1) !== before, 20_000);
  expect(await ask(connect(), 10)).toEqual({ outcomes: [200], pids: [pidOf(1), pidOf(2)].sort() });
  expect(ended()).toMatchObject([{ worker: 1, pid: before, code: null, signal: 'SIGKILL' }]);
  expect(server.output.stdout.match(/ listens on /g)).toHaveLength(1);
});

test('one that hangs and is killed loses a single connection that was on its way to it', async () => {
  const connect = await start();
  process.kill(pidOf(1), 'SIGSTOP');
  const pending = Array.from({ length: 8 }, async () => ask(connect(), 1));
  await sleep(200);
  process.kill(pidOf(1), 'SIGKILL');
  const outcomes = (await Promise.all(pending)).flatMap((answer) => answer.outcomes);
  expect(outcomes.filter((outcome) => outcome !== 200).length).toBeLessThanOrEqual(1);
});

test('one that fails again and again is started after pauses that double, while the other one serves', async () => {
  const connect = await start();
  file('fails');
  process.kill(pidOf(2), 'SIGKILL');
  await until(() => ended().length === 4, scaleTimeout(20_000));
  expect(ended().map(({ pause }) => pause)).toEqual([100, 200, 400, 800]);
  expect(await ask(connect(), 10)).toEqual({ outcomes: [200], pids: [pidOf(1)] });
  removeFile('fails');
  const before = pidOf(2);
  await until(() => pidOf(2) !== before, 20_000);
});

test('when none is left connections are refused until one has started', async () => {
  const connect = await start();
  file('waits');
  for (const worker of [1, 2]) process.kill(pidOf(worker), 'SIGKILL');
  await until(async () => (await ask(connect(), 1)).outcomes[0] === 'ECONNREFUSED');
  removeFile('waits');
  await until(() => linesOf('the worker serves').length === 4, 20_000);
});

test('SIGTERM to the first process: each answers what it has under way, and stops', async () => {
  const connect = await start();
  const slow = Array.from({ length: 4 }, async () => connect().send('GET', '/slow'));
  await sleep(200);
  server.child.kill('SIGTERM');
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(linesOf('stopping')).toHaveLength(2);
  expect(ended()).toEqual([]);
});

test('one that does not stop in time is killed, and the first process exits with 1', async () => {
  await start();
  process.kill(pidOf(2), 'SIGSTOP');
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(() => process.kill(pidOf(2), 0)).toThrow('ESRCH');
});

test('SIGUSR2 is ignored, with a line', async () => {
  const connect = await start();
  server.child.kill('SIGUSR2');
  await until(() => linesOf('SIGUSR2 is ignored').length === 1);
  expect(await ask(connect(), 10)).toEqual({ outcomes: [200], pids: [pidOf(1), pidOf(2)].sort() });
});

test('when the first process is killed, the workers end within a second, with requests under way too', async () => {
  const connect = await start();
  const slow = connect().send('GET', '/slow');
  await sleep(100);
  const killedAt = performance.now();
  server.child.kill('SIGKILL');
  // Its output is closed when the last process that writes to it has ended.
  await server.exited;
  expect(performance.now() - killedAt).toBeLessThan(scaleTimeout(1000));
  expect((await slow).error).toBe('ECONNRESET');
});

test('a first one that is killed while it starts is said, and the service exits with 1', async () => {
  file('waits');
  spawn();
  await until(() => linesOf('starting').length === 1, scaleTimeout(20_000));
  process.kill(linesOf('starting')[0]?.pid ?? 0, 'SIGKILL');
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(linesOf('the first worker was killed while it started')).toHaveLength(1);
});

test('metrics at the port that all share are refused at the start: they would be of one', async () => {
  spawn({ metrics: true });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.output.stdout).toMatch(/"the service cannot be started"/);
  expect(server.output.stdout).toMatch(/GET \/metrics at PORT would show one of several workers: set METRICS_PORT/);
});
