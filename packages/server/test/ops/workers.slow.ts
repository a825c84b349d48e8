/** Workers of one service: who gets connections, and what becomes of them when a worker, or the first process, ends. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLoadClient, killProcesses, scaleTimeout, startProcess, until, type LoadClient, type TestProcess } from 'specwright/testing';
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

interface Line {
  readonly msg: string;
  readonly worker?: number;
  readonly pid: number;
}
const linesOf = (msg: string): Line[] =>
  server.output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.msg === msg);
const pidOf = (worker: number): number => linesOf('listening').findLast((line) => line.worker === worker)?.pid ?? 0;

/** @param ready whether the second worker is, from the beginning. */
async function start({ ready = true } = {}): Promise<(connections: 'kept' | 'fresh') => LoadClient> {
  if (ready) file('ready-2');
  server = startProcess({ program, args: [folder, String(await freePort())], cwd: ROOT });
  const url = await server.url();
  if (ready) await server.waitForOutput(/"all workers serve"/);
  return (connections) => {
    const client = createLoadClient(url, { connections, timeoutMs: scaleTimeout(3000) });
    clients.push(client);
    return client;
  };
}
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}
const file = (name: string): void => writeFileSync(join(folder, name), '');

/** Sends one after another. @returns statuses and errors, and which workers answered. */
async function ask(client: LoadClient, count: number, path = '/pid') {
  const outcomes = new Set<number | string>();
  const pids = new Set<number>();
  for (let i = 0; i < count; i++) {
    const { status, error, body } = await client.send('GET', path);
    outcomes.add(error ?? status);
    if (path === '/pid') pids.add(Number(body));
  }
  return { outcomes: [...outcomes], pids: [...pids].sort() };
}

test(
  'a worker gets connections once it is ready; meanwhile /readyz is 200, because another one serves',
  async () => {
    const connect = await start({ ready: false });
    await until(() => linesOf('not ready').length === 1 || pidOf(2) > 0, 20_000);
    const [first] = linesOf('listening');
    expect(await ask(connect('fresh'), 30)).toEqual({ outcomes: [200], pids: [first?.pid] });
    expect((await ask(connect('fresh'), 10, '/readyz')).outcomes).toEqual([200]);
    file('ready-2');
    await server.waitForOutput(/"all workers serve"/);
    expect(await ask(connect('fresh'), 30)).toEqual({ outcomes: [200], pids: [pidOf(1), pidOf(2)].sort() });
  },
  scaleTimeout(60_000),
);

test(
  'one that is not ready listens all the same when no other one is left, and says why',
  async () => {
    const connect = await start({ ready: false });
    await until(() => pidOf(2) > 0, 20_000);
    file('fails');
    process.kill(pidOf(1), 'SIGKILL');
    const client = connect('fresh');
    await until(async () => (await client.send('GET', '/readyz')).status === 503);
  },
  scaleTimeout(60_000),
);

test(
  'one that is started when no other one is left listens at once, and says why',
  async () => {
    const connect = await start();
    file('fails');
    process.kill(pidOf(2), 'SIGKILL');
    // The next start waits for 800 ms: until then there is no worker but the first.
    await until(() => (server.output.stdout + server.output.stderr).split('this start fails').length > 4, 20_000);
    file('never-ready');
    rmSync(join(folder, 'fails'));
    process.kill(pidOf(1), 'SIGKILL');
    const client = connect('fresh');
    await until(async () => (await client.send('GET', '/readyz')).status === 503);
  },
  scaleTimeout(60_000),
);

test.each([
  ['another one serves the connections on their way to a worker that is killed', [1], [200]],
  ['connections on their way to workers are reset when all are killed', [1, 2], ['ECONNRESET']],
])(
  '%s',
  async (_name, killed, outcomes) => {
    const connect = await start();
    const pids = killed.map(pidOf);
    // They are handed connections, and do not take them.
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const client = connect('fresh');
    const pending = Array.from({ length: 6 }, () => ask(client, 1));
    await sleep(200);
    const killedAt = performance.now();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const answers = await Promise.all(pending);
    expect([...new Set(answers.flatMap((answer) => answer.outcomes))]).toEqual(outcomes);
    expect(performance.now() - killedAt).toBeLessThan(scaleTimeout(1000));
  },
  scaleTimeout(60_000),
);

test(
  'SIGUSR2: those who keep their connection, and those who probe, see no failure',
  async () => {
    const connect = await start();
    const before = [pidOf(1), pidOf(2)].sort();
    const [kept, probes, fresh] = [connect('kept'), connect('kept'), connect('fresh')];
    const state = { isOver: false };
    const outcomes = new Set<number | string>();
    const load = [kept, probes, fresh].map(async (client) => {
      while (!state.isOver)
        for (const outcome of (await ask(client, 1, client === probes ? '/readyz' : '/pid')).outcomes) outcomes.add(outcome);
    });
    server.child.kill('SIGUSR2');
    await server.waitForOutput(/"all workers are replaced"/);
    state.isOver = true;
    await Promise.all(load);
    expect([...outcomes]).toEqual([200]);
    expect((await ask(fresh, 20)).pids.filter((pid) => before.includes(pid))).toEqual([]);
  },
  scaleTimeout(60_000),
);

test.each([
  ['cannot be started', 'fails'],
  ['is not ready in time', 'never-ready'],
])(
  'SIGUSR2: when a successor %s, the workers go on',
  async (_what, name) => {
    const connect = await start();
    const before = [pidOf(1), pidOf(2)].sort();
    file(name);
    server.child.kill('SIGUSR2');
    await server.waitForOutput(/"the workers are not replaced: /);
    expect((await ask(connect('fresh'), 20)).pids).toEqual(before);
  },
  scaleTimeout(60_000),
);

test(
  'when the first process is killed, the workers end within a second, with requests under way too',
  async () => {
    const connect = await start();
    const slow = connect('fresh').send('GET', '/slow');
    await ask(connect('fresh'), 4);
    const killedAt = performance.now();
    server.child.kill('SIGKILL');
    // Its output is closed when the last process that writes to it has ended.
    await server.exited;
    expect(performance.now() - killedAt).toBeLessThan(scaleTimeout(1000));
    expect((await slow).error).toBe('ECONNRESET');
  },
  scaleTimeout(60_000),
);
