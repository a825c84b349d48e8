/** A service of several processes on one port (`WORKERS`): exact limits, one greeting, and no end of one that clients notice for long. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countStatuses, killProcesses, scaleTimeout, withDatabase, type TestProcess } from 'specwright/testing';
import { newAccount } from '../support/service/app.ts';
import { startProcess } from '../support/service/process.ts';

const WORKERS = 3;
const database = withDatabase();
let server: TestProcess;
let url: string;
let key: string;

interface Line {
  readonly msg: string;
  readonly worker?: number;
  readonly pid?: number;
}
const lines = (): Line[] =>
  server.output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
const linesOf = (msg: string): Line[] => lines().filter((line) => line.msg === msg);

/** Calls at a steady pace until `end` resolves, each on a connection of its own. @returns the statuses, or why there was none. */
async function statusesUntil(end: Promise<unknown>): Promise<Set<number | string>> {
  const statuses = new Set<number | string>();
  const state = { hasEnded: false };
  void end.finally(() => (state.hasEnded = true));
  while (!state.hasEnded) {
    const answer = fetch(`${url}/livez`, { headers: { Connection: 'close' } });
    statuses.add(await answer.then(({ status }) => status).catch((error: unknown) => String((error as Error).cause)));
  }
  return statuses;
}

beforeAll(async () => {
  ({ key } = await newAccount(database.db, 'pro'));
  // The workers and their clients share this machine's processors, so the database gets more time than usual.
  const env = {
    DATABASE_URL: database.url,
    RATE_LIMIT_TIMEOUT: '15000',
    REQUEST_TIMEOUT: '20000',
    METRICS: 'on',
    WORKERS: String(WORKERS),
  };
  server = startProcess({ env });
  url = await server.url();
  await server.waitForOutput(/"all workers serve"/);
}, scaleTimeout(120_000));
afterAll(killProcesses);

test(
  'they admit 300 of 500 requests together, and any of them has the metrics of all',
  async () => {
    let sent = 0;
    const answers: Response[] = [];
    const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
    const client = async () => {
      while (sent++ < 500) answers.push(await fetch(`${url}/categories`, { headers }));
    };
    await Promise.all(Array.from({ length: 20 }, client));
    expect(countStatuses(answers)).toEqual({ 200: 300, 429: 200 });
    const served = new Set(linesOf('answered').map(({ worker }) => worker));
    expect([...served].sort()).toEqual(Array.from({ length: WORKERS }, (_, i) => i + 1));

    for (let i = 0; i < WORKERS; i++) {
      const text = await (await fetch(`${url}/metrics`, { headers: { Connection: 'close' } })).text();
      const count = (status: number) =>
        /\s(\d+)$/.exec(
          text
            .split('\n')
            .find((line) => line.includes('_requests_total{') && line.includes(`"/categories"`) && line.includes(`"${status}"`)) ?? '',
        )?.[1];
      expect([count(200), count(429)]).toEqual(['300', '200']);
    }
    expect(server.output.stdout.match(/ listens on /g)).toHaveLength(1);
    expect(linesOf('the worker has started')).toMatchObject([{ worker: 1 }]);
  },
  scaleTimeout(120_000),
);

test(
  'one that is killed is replaced, and SIGUSR2 replaces all without a request that is refused',
  async () => {
    const { pid = 0, worker } = linesOf('listening')[1] ?? {};
    process.kill(pid, 'SIGKILL');
    await server.waitForOutput(/"the worker is replaced"/);
    expect(linesOf('a worker has ended: another takes its place')).toMatchObject([{ pid, worker }]);

    const replaced = server.waitForOutput(/"all workers are replaced"/);
    server.child.kill('SIGUSR2');
    expect(await statusesUntil(replaced)).toEqual(new Set([200]));
    expect(new Set(linesOf('stopped').map((line) => line.worker))).toEqual(new Set([1, 2, 3]));
    expect(linesOf('listening')).toHaveLength(2 * WORKERS + 1);
  },
  scaleTimeout(120_000),
);

test(
  'SIGTERM to the first process stops them all, and exits with 0',
  async () => {
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.output.stderr).toBe('');
    for (const { pid = 0 } of linesOf('listening')) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
  scaleTimeout(60_000),
);

test(
  'what none of them can do is said once, and exits with 1',
  async () => {
    const refused = startProcess({ env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', START_TIMEOUT: '100', WORKERS: '2' } });
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.output.stdout.match(/"the service cannot be started"/g)).toHaveLength(1);
  },
  scaleTimeout(60_000),
);
