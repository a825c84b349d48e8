/** The pet store as it is composed: each of its parts is measured, started and closed with the server. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { databaseProbe, openDatabase } from '@specwright/postgres';
import { close, createReadiness, listen } from '@specwright/server';
import { createTestLog, removeFolder, until, withDatabase, type LogLine } from 'specwright/testing';
import { NAME, readConfig } from '../../src/config.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { createService, loadPetStore } from '../../src/service.ts';
import { omittedOperations } from '../../src/sign-ups.ts';
import { stockEvents } from '../../src/db/stock-events.ts';
import { insertPhoto } from '../../src/db/photos.ts';
import { newAccount } from '../support/service/app.ts';
import { inParts, PIXEL } from '../support/service/images.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'composition-'));
afterAll(() => removeFolder(dataDir));
afterEach(() => void jest.restoreAllMocks());

async function compose(environment: NodeJS.ProcessEnv, isFirstWorker = true) {
  const lines: LogLine[] = [];
  const log = createTestLog(lines);
  const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: dataDir, METRICS: 'on', ...environment });
  const opened = await openDatabase({ ...config, name: NAME, connectNow: false });
  const readiness = createReadiness({ log, ...databaseProbe({ url: opened.url, name: NAME, schema }) });
  const server = createService({
    config,
    contract: await loadPetStore(omittedOperations(config)),
    database: opened,
    readiness,
    log,
    isFirstWorker,
  });
  const port = await listen(server, 0, '127.0.0.1');
  expect(await readiness.start()).toBeUndefined();
  return { server, url: `http://127.0.0.1:${port}`, opened, lines };
}
const says = (lines: readonly LogLine[], text: string) => lines.some(({ message }) => message === text);

test.each(['server', 'function'])('with PROFILE=%s it serves, is measured, and closes all that it has opened', async (profile) => {
  const { server, url: base, opened, lines } = await compose({ PROFILE: profile });
  const { accountId, key } = await newAccount(database.db);
  expect((await fetch(`${base}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
  const metrics = await (await fetch(`${base}/metrics`)).text();
  for (const name of [
    'db_client_connections',
    'db_client_notify_queue_full_total',
    'api_key_cache_requests_total',
    'messages_queue_jobs',
    'event_log_streams',
  ])
    expect(metrics).toContain(`# TYPE ${name} `);
  expect(metrics).toMatch(/db_client_connections\{db_client_connection_pool_name="rate limits"/);
  if (profile === 'server') await until(() => says(lines, 'the worker has started'));
  // Connects the feed.
  expect((await stockEvents.follow(opened.db, accountId).next()).value).toMatchObject({ event: 'reset' });
  await close(server, 5000);
  expect(says(lines, 'the worker has started')).toBe(profile === 'server');
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  const connections = () =>
    database
      .db('pg_stat_activity')
      .whereRaw('datname = current_database() AND pid <> pg_backend_pid()')
      .whereLike('application_name', `${NAME}%`);
  await until(async () => (await connections()).length === 0);
});

test('uploads that never ended are deleted about every five minutes, until it is closed', async () => {
  const set = jest.spyOn(globalThis, 'setTimeout');
  const cleared = jest.spyOn(globalThis, 'clearTimeout');
  /** What was set to run after so many ms, at least and at most. */
  const timers = (least: number, most: number) =>
    set.mock.calls
      .map(([run, ms], i) => ({ run, ms: Number(ms), timer: set.mock.results[i]?.value as NodeJS.Timeout }))
      .filter(({ ms }) => ms >= least && ms <= most);
  const { server } = await compose({});
  const { accountId, petIds } = await openShop(database.db, 0);
  const { record } = await insertPhoto(database.db, accountId, petIds[0], {}, inParts(PIXEL), new Date());
  const unfinished = () => database.db('photos').where({ id: record.id });
  await unfinished().update({ digest: null, created_at: database.db.raw("now() - interval '1 hour'") });

  // The first time of everything that is cleaned up comes within two minutes, from the moment that its part has started.
  const begun = new Set<unknown>();
  await until(async () => {
    for (const { run, timer } of timers(45_000, 75_000).filter((one) => !begun.has(one.timer))) {
      begun.add(timer);
      clearTimeout(timer);
      run();
    }
    return (await unfinished()).length === 0 && timers(225_000, 375_000).length > 0;
  });
  const [next, ...others] = timers(225_000, 375_000);
  expect(others).toEqual([]);
  expect(cleared).not.toHaveBeenCalledWith(next?.timer);
  await close(server, 5000);
  expect(cleared).toHaveBeenCalledWith(next?.timer);
  set.mockRestore();
  cleared.mockRestore();
});

test('of several processes only the first delivers messages; all have its metrics', async () => {
  const { server, url: base, lines } = await compose({}, false);
  expect(await (await fetch(`${base}/metrics`)).text()).toContain('# TYPE deliveries_under_way ');
  await close(server, 5000);
  expect(says(lines, 'the worker has started')).toBe(false);
});
