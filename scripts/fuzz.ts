/** Prepares a server for `npm run test:fuzz`: two accounts, and limits that the run cannot reach. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzIdentity, FuzzServer } from 'specwright';
import { openDatabase } from '@specwright/postgres';
import { NAME } from '../src/config.ts';

/** Messages are not delivered: the run would call addresses that it makes up. */
export const environment = { WORKER: 'off' };

/** @returns the account of the demo key and a new one. */
export async function prepare({ url, base, dataDir }: FuzzServer): Promise<FuzzIdentity[]> {
  await liftLimits(dataDir);
  const demoKey = readFileSync(join(dataDir, 'demo-key'), 'utf8').trim();
  const response = await fetch(`${url}${base}/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'bob@example.com' }),
  });
  if (response.status !== 201) throw new Error(`POST ${base}/accounts answered ${response.status}: ${await response.text()}`);
  const { apiKey } = (await response.json()) as { apiKey: string };
  const identity = (name: string, key: string): FuzzIdentity => ({ name, headers: { Authorization: `Bearer ${key}` } });
  return [identity('ada', demoKey), identity('bob', apiKey)];
}

/** The keys are still accepted after the run. */
export async function verify({ url, base }: FuzzServer, identities: readonly FuzzIdentity[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, headers } of identities) {
    const { status } = await fetch(`${url}${base}/account`, { headers, signal: AbortSignal.timeout(5000) });
    if (status !== 200) problems.push(`after the run, GET ${base}/account answered ${name} with ${status}`);
  }
  return problems;
}

/** Keeps the counters at zero: the run makes more requests than any plan allows. Limits are still decided for each request. */
async function liftLimits(dataDir: string): Promise<void> {
  const database = await openDatabase({ name: NAME, databaseUrl: undefined, databasePool: 1, dataDir });
  try {
    await database.db.raw(`
      CREATE FUNCTION never_fill() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.minute_used := 0; NEW.day_used := 0; RETURN NEW; END $$;
      CREATE TRIGGER never_fill BEFORE INSERT OR UPDATE ON rate_limit_counters FOR EACH ROW EXECUTE FUNCTION never_fill();`);
  } finally {
    await database.close();
  }
}
