import { resolve } from 'node:path';
import { ACCOUNT_MIGRATIONS, accountSubject, createAccount, openCallerCache, openCounterStore, suspendAccount } from '@specwright/accounts';
import { migrate, openDatabase } from '@specwright/postgres';
import { DATABASE_VARIABLES } from '@specwright/postgres/environment';
import { createLogger, type PlanTable } from '@specwright/server';
import { createLimiter } from '@specwright/server/limits';
import { readEnvironment } from '@specwright/server/environment';

const log = createLogger('error');
const config = readEnvironment(DATABASE_VARIABLES);
const { db, url, close } = await openDatabase({ ...config, name: 'example', dataDir: resolve(config.dataDir) });
await migrate(db, { migrations: ACCOUNT_MIGRATIONS });

const callers = openCallerCache(db, { log });
const store = openCounterStore({ url });
const limiter = createLimiter({ store, log });
// A service has them in its contract, as `x-rate-limit-plans`.
const limits = { minute: 60, day: 1000 };
const plans: PlanTable = { plans: { free: limits, pro: limits, business: limits, enterprise: limits }, address: limits };
try {
  const { record, apiKey } = await createAccount(db, { email: 'ada@example.com', plan: 'free' }, new Date());
  const caller = await callers.find(apiKey);
  if (caller === undefined) throw new Error('the key is not valid');
  const { bucket, quota } = accountSubject(caller, plans);
  const { admitted, windows } = await limiter.take({ bucket, quota, cost: 1 });
  console.log(admitted, windows.minute.remaining); // true 59
  await suspendAccount(db, record.id, new Date());
  console.log(await callers.find(apiKey)); // undefined
} finally {
  limiter.close();
  await callers.close();
  await store.close();
  await close();
}
