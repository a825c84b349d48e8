/** Somebody guesses keys from one address: how many guesses reach the database, and whether a good key there is served. */
import { createKey } from '@specwright/accounts';
import { createLoadClient } from '../support/tools/load-client.ts';
import { newAccount } from '../../test/support/service/app.ts';
import { openDatabase, startServer } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const KEYS = 1000;
const CLIENTS = 20;
/** Look-ups of `findCaller` as PostgreSQL has counted them. */
const COUNT_LOOK_UPS = `SELECT coalesce(sum(idx_scan), 0)::int AS n FROM pg_stat_user_indexes WHERE indexrelname = 'api_keys_hash_key'`;

export const scenario: Scenario = {
  summary: 'one address sends 1000 well-formed keys that nobody has',
  timeoutMs: 60_000,
  async run(context) {
    const database = await openDatabase(context);
    const { key } = await newAccount(database.db, 'enterprise');
    const { url } = await startServer(context, database.url, { WORKER: 'off' });
    const send = async (one: string) => {
      const client = createLoadClient(url, { headers: { Authorization: `Bearer ${one}` } });
      const response = await client.send('GET', '/categories');
      client.close();
      return response;
    };
    /** PostgreSQL's processes report what they have counted within a second of it. */
    const lookUps = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const { rows } = await database.db.raw<{ rows: { n: number }[] }>(COUNT_LOOK_UPS);
      return rows[0]?.n ?? 0;
    };
    await send(key);
    const before = await lookUps();
    const statuses: number[] = [];
    let left = KEYS;
    const good: number[] = [];
    const client = async () => {
      while (left-- > 0) {
        statuses.push((await send(createKey())).status);
        if (left % 100 === 0) good.push((await send(key)).status);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const after = await lookUps();
    const { measure } = context;
    const count = (status: number) => statuses.filter((one) => one === status).length;
    measure({ measured: `look-ups of ${KEYS} unknown keys`, value: after - before, min: 1, max: 80 });
    measure({ measured: 'answered 401', value: count(401), max: 60 });
    measure({ measured: 'answered 429', value: count(429), min: KEYS - 60 });
    measure({ measured: 'requests with a good key that failed', value: good.filter((status) => status !== 200).length, max: 0 });
  },
};
