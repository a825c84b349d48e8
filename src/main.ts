/** Starts the server: configuration, contract, database, application, port; and stops it when it is told to. */
import { parseArgs } from 'node:util';
import { createApp, loadServiceContract, type AppOptions } from '@specwright/server';
import { readConfig, type Config } from './config.ts';
import { migrate, schemaProblem } from '@specwright/postgres';
import { openDatabase, type OpenDatabase } from '@specwright/postgres';
import { explain } from '@specwright/server';
import { close, listen } from '@specwright/server';
import { createLogger } from '@specwright/server';
import { createReadiness } from '@specwright/server';
import { createService } from './service.ts';

type Contract = AppOptions['contract'];

/** Stops what was started, once requests under way have ended. */
type Stop = (signal: NodeJS.Signals) => Promise<void>;

async function start(): Promise<Stop> {
  const { values: flags } = parseArgs({ options: { migrate: { type: 'boolean', default: false } } });
  const config = readConfig();
  const contract = await loadServiceContract();
  const database = await openDatabase(config);
  try {
    return await serve(config, contract, database, flags.migrate);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(config: Config, contract: Contract, database: OpenDatabase, mayMigrate: boolean): Promise<Stop> {
  const { db, embedded } = database;
  const log = createLogger(config.logLevel);
  // A database of somebody else's is changed only when they say so.
  if (embedded || mayMigrate) await migrate(db);
  const service = createService({ config, database, log });
  let listening = false;
  // Not before the schema is this version's own, and not if the start fails after all.
  const begin = () => {
    if (listening) service.begin();
  };
  const readiness = createReadiness({
    ask: () => schemaProblem(db),
    onChange: (reason) => {
      if (reason === undefined) log.info({}, 'ready');
      else log.error({ reason }, 'not ready');
      if (reason === undefined) begin();
    },
  });
  await readiness.check();

  const { responseValidation, metrics } = config;
  const server = createApp({ contract, responseValidation, readiness, log, metrics, ...service.line });
  await service.prepare();
  const port = await listen(server, config.port, config.host);
  listening = true;
  if (readiness.reason() === undefined) begin();
  log.info({ port, database: embedded ? 'embedded' : 'DATABASE_URL' }, 'listening');
  const url = `http://localhost:${port}`;
  console.log([`${contract.title} ${contract.version} listens on ${url}`, ...service.greeting(url)].join('\n'));
  void contract.prepare();

  return async (signal) => {
    log.info({ signal }, 'stopping');
    readiness.stop();
    await Promise.all([close(server, config.shutdownTimeout), service.stop()]);
    await service.close();
    await database.close();
    log.info({}, 'stopped');
  };
}

/** Stops at the first signal; a second one means now. */
function stopOn(signals: readonly NodeJS.Signals[], stop: Stop): void {
  let stopping = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop(signal).then(() => process.exit(0), fail);
    });
  }
}

function fail(error: unknown): never {
  console.error(explain(error));
  process.exit(1);
}

const started = start();
started.catch(fail);
// From the first moment on: a signal that comes while the database is being started must not leave it running.
stopOn(['SIGTERM', 'SIGINT', 'SIGHUP'], async (signal) => (await started)(signal));
