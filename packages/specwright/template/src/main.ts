/** Starts the service: configuration, contract, database, port; and stops it when it is told to. */
import { databaseProbe, migrate, openDatabase, waitForDatabase } from '@specwright/postgres';
import { close, createReadiness, listen, loadMock, readFlags, runService, workTimeout } from '@specwright/server';
import type { ServiceProcess, StopService } from '@specwright/server';
import { HINTS } from './callers.ts';
import { NAME, readConfig, type Config } from './config.ts';
import { schema } from './db/migrations/index.ts';
import { createService, loadServiceContract } from './service.ts';

async function start({ config, log, stopping, greet }: ServiceProcess<Config>): Promise<StopService> {
  const flags = readFlags(['migrate', 'mock-missing']);
  const contract = await loadServiceContract();
  const mock = flags['mock-missing'] ? await loadMock(contract) : undefined;
  const database = await openDatabase({ ...config, name: NAME, dates: contract.dates, connectNow: false });
  const { db, url, embedded } = database;
  const readiness = createReadiness({ log, ...databaseProbe({ url, name: NAME, schema }) });
  const server = createService({ config, contract, database, readiness, log, mock });
  // Nobody balances the load of who has pressed Ctrl-C.
  const stop: StopService = (signal) => close(server, workTimeout(config.shutdownTimeout), signal === 'SIGTERM' ? config.drainDelay : 0);
  try {
    // Before the database is there: probes learn that this process lives and is not ready.
    const port = await listen(server, config.port, config.host);
    log.info({ port, database: embedded ? 'embedded' : 'DATABASE_URL' }, 'listening');
    await waitForDatabase(db, url, { timeoutMs: config.startTimeout, log, signal: stopping });
    // A database at DATABASE_URL is migrated only when that is asked for.
    if (embedded || flags.migrate) await migrate(db, schema, { log, allowOutage: embedded });
    const problem = await readiness.start();
    greet({ title: contract.title, version: contract.version, port, problem, hints: HINTS });
    return stop;
  } catch (error) {
    await stop('SIGINT').catch(() => undefined);
    throw error;
  }
}

runService(start, readConfig);
