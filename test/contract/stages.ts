/** The application in every condition that a declared status needs: as it is, after all sunsets, with a store that fails. */
import { loadPetStore } from '../../src/service.ts';
import { connect, type Database } from '@specwright/postgres';
import { type TestDatabase } from '@specwright/testing';
import { startApp, type TestApp, type TestOptions } from '../support/app.ts';
import { createEmptyStore } from '../support/limits.ts';

export const STAGES = [
  'live',
  'afterSunset',
  'storeFails',
  'keysFail',
  'storeDown',
  'keysDown',
  'notReady',
  'overLimit',
  'banned',
] as const;
export type Stage = (typeof STAGES)[number];

export interface Stages {
  readonly urls: Readonly<Record<Stage, string>>;
  close(): Promise<void>;
}

/** Every key is good, so that a request gets as far as a store that fails. */
const anyKey: TestOptions = { security: { bearerAuth: async () => ({ accountId: 1, keyId: 1, plan: 'free' }) } };

export async function startStages({ url, db }: TestDatabase): Promise<Stages> {
  const contract = await loadPetStore();
  // A real database in which no table is found: an error that the contract has no name for.
  const lost = new URL(url);
  lost.searchParams.set('options', '-c search_path=nowhere');
  const failing = connect({ url: lost.href });
  const unreachable = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const conditions: Record<Stage, readonly [Database, TestOptions]> = {
    live: [db, {}],
    afterSunset: [db, { now: () => new Date('9999-12-31') }],
    storeFails: [failing, anyKey],
    keysFail: [failing, {}],
    storeDown: [unreachable, anyKey],
    keysDown: [unreachable, {}],
    notReady: [db, { readiness: { reason: () => 'the schema is not its own', check: async () => undefined } }],
    overLimit: [db, { rateLimit: { store: createEmptyStore() } }],
    banned: [db, { rateLimit: { store: createEmptyStore(true) } }],
  };
  const apps = new Map<Stage, TestApp>();
  for (const stage of STAGES) apps.set(stage, await startApp(conditions[stage][0], { contract, ...conditions[stage][1] }));
  return {
    urls: Object.fromEntries([...apps].map(([stage, app]) => [stage, app.url])) as Record<Stage, string>,
    async close() {
      for (const app of apps.values()) await app.close();
      await failing.destroy();
      await unreachable.destroy();
    },
  };
}
