/** Starts the service: configuration, contract, database, port; and stops it when it is told to. */
import { parseArgs } from 'node:util';
import { databaseProbe, migrate, openDatabase } from '@specwright/postgres';
import { close, createLogger, createReadiness, listen, runService, type StopService } from '@specwright/server';
import { NAME, readConfig } from './config.ts';
import { schema } from './db/migrations/index.ts';
import { createService, loadServiceContract } from './service.ts';

async function start(): Promise<StopService> {
  const { values: flags } = parseArgs({ options: { migrate: { type: 'boolean', default: false } } });
  const config = readConfig();
  const contract = await loadServiceContract();
  const database = await openDatabase({ ...config, name: NAME });
  const { db, url, embedded } = database;
  try {
    const log = createLogger(config.logLevel);
    // A database at DATABASE_URL is migrated only when that is asked for.
    if (embedded || flags.migrate) await migrate(db, schema);
    const readiness = createReadiness({ log, ...databaseProbe({ url, name: NAME, schema }) });
    const service = createService({ config, contract, database, readiness, log });
    await readiness.check();
    const port = await listen(service.server, config.port, config.host);
    log.info({ port, database: embedded ? 'embedded' : 'DATABASE_URL' }, 'listening');
    const address = `http://localhost:${port}`;
    console.log(`${contract.title} ${contract.version} listens on ${address}\nThe contract: ${address}/openapi.yaml`);
    void contract.loadValidator();

    return async (signal) => {
      log.info({ signal }, 'stopping');
      readiness.stop();
      // Nobody balances the load of who has pressed Ctrl-C.
      const drainDelay = signal === 'SIGTERM' ? config.drainDelay : 0;
      await close(service.server, config.shutdownTimeout, drainDelay);
      await service.close();
      await database.close();
      log.info({}, 'stopped');
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

runService(start);
