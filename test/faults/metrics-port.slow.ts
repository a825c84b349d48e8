/** METRICS_PORT with several workers: any of them answers there, with the sums of all, and none at PORT. */
import { afterEach, expect, test } from '@jest/globals';
import { killProcesses, scaleTimeout, until, withDatabase } from 'specwright/testing';
import { startProcess } from '../support/service/process.ts';

const database = withDatabase();
afterEach(() => killProcesses());

test(
  'the metrics of all workers are at the port, whichever of them answers',
  async () => {
    const server = startProcess({ env: { DATABASE_URL: database.url, WORKERS: '2', METRICS_PORT: '0' } });
    const url = await server.url();
    const lines = () => server.output.stdout.split('\n').filter((line) => line.includes('/metrics is served'));
    await until(() => lines().length === 2);
    const ports = new Set(lines().map((line) => (JSON.parse(line) as { port: number }).port));
    expect(ports.size).toBe(1);
    const close = { headers: { Connection: 'close' } };
    for (let i = 0; i < 20; i++) expect((await fetch(`${url}/livez`, close)).status).toBe(200);
    expect((await fetch(`${url}/metrics`, close)).status).toBe(404);
    const count = async () => {
      const text = await (await fetch(`http://127.0.0.1:${[...ports][0]}/metrics`, close)).text();
      return Number(/^http_server_requests_total\{http_request_method="GET",http_response_status_code="200"\} (\d+)$/m.exec(text)?.[1]);
    };
    // What the address of the process is asked for while it starts is counted too.
    await until(async () => (await count()) >= 20);
    const first = await count();
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expect([await count(), await count(), await count()]).toEqual([first, first, first]);
  },
  scaleTimeout(60_000),
);
