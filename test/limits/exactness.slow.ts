/** Rate limits are exact over several servers: they admit as many requests as are left, and no more. Of processes: faults/workers.slow.ts. */
import { expect, test } from '@jest/globals';
import { scaleTimeout, withDatabase } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { createClock, realLimits } from '../support/service/limits.ts';

const database = withDatabase();

test(
  'four applications admit 300 of 500 concurrent requests, each with its own number of remaining ones',
  async () => {
    const { key } = await newAccount(database.db, 'pro');
    const clock = createClock();
    const real = [1, 2, 3, 4].map(() => realLimits(database.url, clock));
    // The admission refuses what has no time left: on a busy machine 125 requests at once need more than they are given elsewhere.
    const requestTimeoutMs = scaleTimeout(60_000);
    const apps = await Promise.all(real.map(({ options }) => startApp(database.db, { ...options, requestTimeoutMs })));
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
