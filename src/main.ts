/** Starts the service: configuration, contract, database, port; and stops it when it is told to. */
import { databaseProbe, migrate, openDatabase, waitForDatabase } from '@specwright/postgres';
import { close, createReadiness, listen, loadMock, readFlags, runService, workTimeout } from '@specwright/server';
import type { ServiceProcess, StopService } from '@specwright/server';
import { NAME, readConfig, type Config } from './config.ts';
import { schema } from './db/migrations/index.ts';
import { createService, loadPetStore } from './service.ts';

async function start({ config, log, stopping, isFirstWorker, greet }: ServiceProcess<Config>): Promise<StopService> {
  const flags = readFlags(['migrate', 'mock-missing']);
  const contract = await loadPetStore();
  const mock = flags['mock-missing'] ? await loadMock(contract) : undefined;
  const database = await openDatabase({ ...config, name: NAME, connectNow: false });
  const { db, url, embedded } = database;
  let release = () => database.close();
  try {
    const readiness = createReadiness({ log, ...databaseProbe({ url, name: NAME, schema }) });
    // Loaded only where it is asked for.
    const mcp = config.mcp ? (await import('@specwright/server/mcp')).mcp() : undefined;
    const service = createService({ config, contract, database, readiness, log, mock, mcp });
    release = async () => {
      await service.close();
      await database.close();
    };
    // Before the database is there: probes learn that this process lives and is not ready.
    const port = await listen(service.server, config.port, config.host);
    log.info({ port, database: embedded ? 'embedded' : 'DATABASE_URL' }, 'listening');
    await waitForDatabase(db, url, { timeoutMs: config.startTimeout, log, signal: stopping });
    // A database of somebody else's is changed only when they say so.
    if (embedded || flags.migrate) await migrate(db, schema, { log, allowOutage: embedded });
    const [problem, { demoKey }] = await Promise.all([readiness.start(), service.prepare()]);
    // Not before the schema is this version's own.
    if (isFirstWorker) readiness.onReady(() => service.begin());
    greet({ title: contract.title, version: contract.version, port, problem, ...service.greeting(port, demoKey) });

    return async (signal) => {
      log.info({ signal }, 'stopping');
      readiness.stop();
      // After Ctrl-C there is no load balancer to wait for.
      const drainDelay = signal === 'SIGTERM' ? config.drainDelay : 0;
      await Promise.all([close(service.server, workTimeout(config.shutdownTimeout), drainDelay), service.stop()]);
      await release();
      log.info({}, 'stopped');
    };
  } catch (error) {
    await release();
    throw error;
  }
}

runService(start, readConfig);
