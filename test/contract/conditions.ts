/** The service in every condition that a declared status needs: healthy, after all sunsets, with a database that fails. */
import { loadPetStore } from '../../src/service.ts';
import { connect, type Database } from '@specwright/postgres';
import { ALL_SCOPES, FrameworkError } from '@specwright/server';
import type { LogLine, TestDatabase } from 'specwright/testing';
import { startApp, type TestApp, type TestOptions } from '../support/service/app.ts';
import { createEmptyStore } from '../support/service/limits.ts';
import { withMails } from '../support/service/sign-ups.ts';

export const CONDITIONS = [
  'live',
  'afterSunset',
  'storeFails',
  'keysFail',
  'storeDown',
  'keysDown',
  'notReady',
  'overLimit',
  'banned',
  'keyInUse',
] as const;
export type Condition = (typeof CONDITIONS)[number];

export interface Conditions {
  /** Of the healthy service. */
  readonly log: readonly LogLine[];
  readonly urls: Readonly<Record<Condition, string>>;
  readonly close: () => Promise<void>;
}

/** Accepts every key, so that a request reaches the store that fails. */
const anyKey: TestOptions = { security: { bearerAuth: async () => ({ accountId: 1, keyId: 1, plan: 'free', scopes: ALL_SCOPES }) } };

/** Another request with any key is under way. */
const inUse: NonNullable<TestOptions['idempotency']> = {
  async run() {
    throw new FrameworkError('idempotency_key_in_use', 'another request is under way', { headers: { 'Retry-After': '1' } });
  },
};

/** Both ways of signing up are served, so that each operation of either is walked. @param shared options of the service in all conditions. */
export async function startConditions({ url, db }: TestDatabase, shared: TestOptions = {}): Promise<Conditions> {
  const contract = await loadPetStore();
  // A database in which no table is found: an error that no code of the contract is for.
  const withoutTables = new URL(url);
  withoutTables.searchParams.set('options', '-c search_path=nowhere');
  const failing = connect({ url: withoutTables.href });
  const unreachable = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const signUps = await withMails(db);
  const options: Record<Condition, readonly [Database, TestOptions]> = {
    live: [db, {}],
    afterSunset: [db, { now: () => new Date('9999-12-31') }],
    storeFails: [failing, anyKey],
    keysFail: [failing, {}],
    storeDown: [unreachable, anyKey],
    keysDown: [unreachable, {}],
    notReady: [db, { readiness: { reason: () => 'the schema is of another version', check: async () => undefined } }],
    overLimit: [db, { rateLimit: { store: createEmptyStore() } }],
    banned: [db, { rateLimit: { store: createEmptyStore(true) } }],
    keyInUse: [db, { idempotency: inUse }],
  };
  const apps = new Map<Condition, TestApp>();
  for (const condition of CONDITIONS) {
    const [database, own] = options[condition];
    apps.set(condition, await startApp(database, { contract, signUps, ...shared, ...own }));
  }
  return {
    log: apps.get('live')?.log ?? [],
    urls: Object.fromEntries([...apps].map(([condition, app]) => [condition, app.url])) as Record<Condition, string>,
    async close() {
      for (const app of apps.values()) await app.close();
      await failing.destroy();
      await unreachable.destroy();
    },
  };
}
