/** Rate limits are exact over several servers: they admit as many requests as are left, and no more. */
import { afterEach, expect, test } from '@jest/globals';
import { countStatuses, killProcesses, scaleTimeout, withDatabase } from '@specwright/testing';
import { newAccount, startApp } from '../support/app.ts';
import { clientWithKey } from '../support/client.ts';
import { createClock, realLimits } from '../support/limits.ts';
import { startProcess } from '../support/process.ts';

const database = withDatabase();
afterEach(killProcesses);

test(
  'four applications admit 300 of 500 concurrent requests, each with its own number of remaining ones',
  async () => {
    const { key } = await newAccount(database.db, 'pro');
    const clock = createClock();
    const real = [1, 2, 3, 4].map(() => realLimits(database.url, clock));
    const apps = await Promise.all(real.map(({ options }) => startApp(database.db, options)));
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) => clientWithKey(apps[i % 4]?.url ?? '', key)('GET', '/categories')),
    );
    expect(countStatuses(answers)).toEqual({ 200: 300, 429: 200 });
    const left = answers.filter(({ status }) => status === 200).map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i));
    for (const app of apps) await app.close();
    for (const { store } of real) await store.close();
  },
  scaleTimeout(120_000),
);

test(
  'four server processes admit 300 of 500 requests, forty at a time',
  async () => {
    const { key } = await newAccount(database.db, 'pro');
    // Four servers and their clients share this machine's processors, so the database gets more time than usual.
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', INSTANCES: '4', RATE_LIMIT_TIMEOUT: '15000', REQUEST_TIMEOUT: '20000' };
    const servers = [1, 2, 3, 4].map(() => startProcess({ env }));
    const urls = await Promise.all(servers.map((server) => server.url()));
    const answers: Awaited<ReturnType<ReturnType<typeof clientWithKey>>>[] = [];
    let sent = 0;
    // Ten for each server: it answers 503 to more than it can do at once, without counting them.
    const client = async () => {
      while (sent < 500) answers.push(await clientWithKey(urls[sent++ % 4] ?? '', key)('GET', '/categories'));
    };
    await Promise.all(Array.from({ length: 40 }, client));
    expect(countStatuses(answers)).toEqual({ 200: 300, 429: 200 });
    for (const { child } of servers) child.kill('SIGTERM');
    expect((await Promise.all(servers.map(({ exited }) => exited))).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  },
  scaleTimeout(120_000),
);
