/** Starts the service: configuration, contract, database, port; and stops it when it is told to. */
import { databaseProbe, migrate, openDatabase, waitForDatabase } from '@specwright/postgres';
import { close, createReadiness, listen, loadMock, readFlags, runService, workTimeout } from '@specwright/server';
import type { ServiceProcess, StopService } from '@specwright/server';
import { NAME, readConfig, type Config } from './config.ts';
import { schema } from './db/migrations/index.ts';
import { greetingOf } from './first-start.ts';
import { createService, loadPetStore } from './service.ts';
import { omittedOperations } from './sign-ups.ts';

async function start({ config, log, stopping, isFirstWorker, greet }: ServiceProcess<Config>): Promise<StopService> {
  const flags = readFlags(['migrate', 'mock-missing']);
  const contract = await loadPetStore(omittedOperations(config));
  const mock = flags['mock-missing'] ? await loadMock(contract) : undefined;
  // Loaded only where it is asked for.
  const mcp = config.mcp ? (await import('@specwright/server/mcp')).mcp() : undefined;
  const database = await openDatabase({ ...config, name: NAME, connectNow: false });
  const { db, url, embedded } = database;
  const readiness = createReadiness({ log, ...databaseProbe({ url, name: NAME, schema }) });
  const server = createService({ config, contract, database, readiness, log, isFirstWorker, mock, mcp });
  const stop: StopService = (signal) => close(server, workTimeout(config.shutdownTimeout), signal === 'SIGTERM' ? config.drainDelay : 0);
  try {
    // Before the database is there: probes learn that this process lives and is not ready.
    const port = await listen(server, config.port, config.host);
    log.info({ port, database: embedded ? 'embedded' : 'DATABASE_URL' }, 'listening');
    await waitForDatabase(db, url, { timeoutMs: config.startTimeout, log, signal: stopping });
    // A database of somebody else's is changed only when they say so.
    if (embedded || flags.migrate) await migrate(db, schema, { log, allowOutage: embedded });
    const [problem, greeting] = await Promise.all([readiness.start(), greetingOf(config, database, port)]);
    greet({ title: contract.title, version: contract.version, port, problem, ...greeting });
    return stop;
  } catch (error) {
    await stop('SIGINT').catch(() => undefined);
    throw error;
  }
}

runService(start, readConfig);
