/** The pet store as several processes on one port (`WORKERS`): exact limits, one worker that delivers, metrics of each, and one that is killed. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killProcesses, scaleTimeout, until, withDatabase, type TestProcess } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { logLines } from '../support/tools/log-lines.ts';
import { newAccount } from '../support/service/app.ts';
import { startProcess } from '../support/service/process.ts';

const WORKERS = 3;
const database = withDatabase();
let server: TestProcess;
let url: string;
let key: string;
let metricsPort: number;

interface Line {
  readonly worker?: number;
  readonly pid?: number;
}
const linesOf = (msg: string): Line[] => logLines(server, msg);

/** @returns the first of as many free ports as there are workers. */
async function freePorts(): Promise<number> {
  const listeners = [createServer().listen(0, '127.0.0.1')];
  try {
    await once(listeners[0] as object as NodeJS.EventEmitter, 'listening');
    const { port } = listeners[0]?.address() as AddressInfo;
    for (let i = 1; i < WORKERS; i++) {
      const next = createServer().listen(port + i, '127.0.0.1');
      listeners.push(next);
      await once(next, 'listening');
    }
    return port;
  } catch {
    return await freePorts();
  } finally {
    for (const listener of listeners) listener.close();
  }
}

beforeAll(async () => {
  ({ key } = await newAccount(database.db, 'pro'));
  metricsPort = await freePorts();
  // The workers and their clients share this machine's processors, so the database gets more time than usual.
  const env = {
    DATABASE_URL: database.url,
    RATE_LIMIT_TIMEOUT: '15000',
    REQUEST_TIMEOUT: '20000',
    METRICS_PORT: String(metricsPort),
    WORKERS: String(WORKERS),
  };
  server = startProcess({ env });
  url = await server.url();
  await until(() => linesOf('the worker serves').length === WORKERS, scaleTimeout(60_000));
}, scaleTimeout(120_000));
afterAll(killProcesses);

test(
  'they admit 300 of 500 requests together; each has its metrics at a port, and the first one delivers messages',
  async () => {
    let sent = 0;
    const answers: Response[] = [];
    const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
    const client = async () => {
      while (sent++ < 500) answers.push(await fetch(`${url}/categories`, { headers }));
    };
    await Promise.all(Array.from({ length: 20 }, client));
    expect(countStatuses(answers)).toEqual({ 200: 300, 429: 200 });

    const served: Record<string, number>[] = [];
    for (let i = 0; i < WORKERS; i++) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort + i}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith('http_server_requests_total{') && line.includes('"/categories"'));
      const counts: Record<string, number> = {};
      for (const line of lines) counts[/status_code="(\d+)"/.exec(line)?.[1] ?? ''] = Number(/\d+$/.exec(line)?.[0]);
      served.push(counts);
    }
    const sum = (status: string) => served.reduce((total, counts) => total + (counts[status] ?? 0), 0);
    expect([sum('200'), sum('429')]).toEqual([300, 200]);
    // Each connection goes to the next worker.
    for (const counts of served) expect((counts['200'] ?? 0) + (counts['429'] ?? 0)).toBeLessThan(250);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(linesOf('the worker has started')).toMatchObject([{ worker: 1 }]);
  },
  scaleTimeout(120_000),
);

test(
  'when the first one is killed the others serve, and the one in its place delivers messages',
  async () => {
    const { pid = 0 } = linesOf('the worker serves').find(({ worker }) => worker === 1) ?? {};
    process.kill(pid, 'SIGKILL');
    await until(() => linesOf('a worker has ended: another takes its place').length === 1);
    const statuses = new Set<number>();
    while (linesOf('the worker serves').length === WORKERS)
      statuses.add((await fetch(`${url}/readyz`, { headers: { Connection: 'close' } })).status);
    expect([...statuses]).toEqual([200]);
    await until(() => linesOf('the worker has started').length === 2, scaleTimeout(20_000));
    expect(linesOf('the worker has started')[1]).toMatchObject({ worker: 1 });
  },
  scaleTimeout(120_000),
);
