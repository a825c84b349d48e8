/** The stores, the contract and the counters on a database whose defaults differ from ours in every setting that values depend on. */
import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { scaleTimeout } from 'specwright/testing';

const TESTS = [
  'test/store/(categories|pets|orders|inventory|photos|pagination|constraints|round-trip|stock-events)',
  'test/concurrency',
  'packages/accounts/test/(accounts|api-keys|bans|counters|counter-charges|idempotency-store|key-retention|caller-cache)',
  'packages/accounts/test/webhooks/(deliveries|sender)\\.test',
];

test(
  'all of their tests pass',
  async () => {
    const env = { ...process.env, TEST_DATABASE_MODULE: 'test/support/service/hostile-database.ts' };
    const run = promisify(execFile)('npm', ['test', '--', '--maxWorkers=2', ...TESTS], { env, maxBuffer: 2 ** 26 });
    const { stderr } = await run.catch((error: unknown) => error as { stderr: string });
    const failed = stderr.split('\n').filter((line) => /^(FAIL|\s+●)/.test(line));
    expect(failed).toEqual([]);
    // What ran: a pattern that matches nothing would pass too.
    expect(Number(/Tests:.* (\d+) total/.exec(stderr)?.[1])).toBeGreaterThan(200);
  },
  scaleTimeout(300_000),
);
