/** The service mounted in an Express application, as a program: `npm run ts -- scripts/fuzz.ts --main test/support/service/mounted-main.ts --base /v1`. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { openCounterStore } from '@specwright/accounts';
import { migrate, openDatabase } from '@specwright/postgres';
import { createLogger } from '@specwright/server';
import { NAME, readConfig } from '../../../src/config.ts';
import { schema } from '../../../src/db/migrations/index.ts';
import { ensureDemoAccount } from '../../../src/first-start.ts';
import { startApp } from './app.ts';
import { inExpress, MOUNT_PATH } from './express-host.ts';

/** The application has a probe of its own. */
const probe: RequestHandler = ({ path }, response, next) => (path === '/readyz' ? response.redirect(`${MOUNT_PATH}/readyz`) : next());

const config = readConfig();
const database = await openDatabase({ ...config, name: NAME });
await migrate(database.db, schema);
await ensureDemoAccount(database.db, join(config.dataDir, 'demo-key'), new Date());
const store = openCounterStore({ url: database.url, limiterTimeoutMs: config.rateLimitTimeout });
const app = await startApp(database.db, {
  host: inExpress(probe),
  rateLimit: { store, timeoutMs: config.rateLimitTimeout },
  log: createLogger(config.logLevel),
});
console.log(`listens on http://localhost:${(app.server.address() as AddressInfo).port}`);

process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => store.close())
    .then(() => database.close());
});
