/** Starts the server: configuration, contract, database, application, port; and stops it when it is told to. */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, loadServiceContract, type AppOptions } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { startCallers } from './db/callers.ts';
import { openLimitStore } from './db/limits.ts';
import { migrate, schemaProblem } from './db/migrate.ts';
import { openDatabase, type OpenDatabase } from './db/open.ts';
import { ensureDemoAccount } from './db/seeds/demo-account.ts';
import { explain } from './errors.ts';
import { close, listen } from './ops/listen.ts';
import { createLogger } from './ops/logger.ts';
import { createReadiness } from './ops/readiness.ts';
import { createWorker } from './worker/worker.ts';

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
  const webhooks = { allowPrivate: config.webhookAllowPrivate };
  const worker = createWorker({ db, log, timeout: config.webhookTimeout, stopTimeout: config.shutdownTimeout, ...webhooks });
  let listening = false;
  // Not before the schema is this version's own, and not if the start fails after all.
  const beginWork = () => {
    if (config.worker && listening) worker.start();
  };
  const readiness = createReadiness({
    ask: () => schemaProblem(db),
    onChange: (reason) => {
      if (reason === undefined) log.info({}, 'ready');
      else log.error({ reason }, 'not ready');
      if (reason === undefined) beginWork();
    },
  });
  await readiness.check();

  const callers = startCallers(db, {
    onListening: (isListening, err) =>
      isListening
        ? log.info({}, 'listening for changes of keys')
        : log.warn({ err }, 'changes of keys are not heard: every key is looked up'),
    onUnwritten: (err) => log.warn({ err }, 'the last use of keys could not be written'),
  });
  const store = openLimitStore({ url: database.url });
  // So that the first request does not wait for a connection. If there is no database, readiness says so.
  await store.bans().catch(() => undefined);
  const limits = { shared: store, proxy: config.trustProxy, instances: config.instances, patience: config.rateLimitTimeout };
  const server = createApp({
    contract,
    db,
    responseValidation: config.responseValidation,
    readiness,
    log,
    limits,
    metrics: config.metrics,
    webhooks,
    findCaller: (key) => callers.find(key),
  });
  const keyFile = join(config.dataDir, 'demo-key');
  const demoKey = embedded ? await ensureDemoAccount(db, keyFile, new Date()) : undefined;
  const port = await listen(server, config.port, config.host);
  listening = true;
  if (readiness.reason() === undefined) beginWork();
  log.info({ port, database: embedded ? 'embedded' : 'DATABASE_URL' }, 'listening');
  console.log(greeting(contract, `http://localhost:${port}`, embedded ? relative(process.cwd(), keyFile) : undefined, demoKey));

  return async (signal) => {
    log.info({ signal }, 'stopping');
    readiness.stop();
    await Promise.all([close(server, config.shutdownTimeout), worker.stop()]);
    await Promise.all([callers.close(), store.close()]);
    await database.close();
    log.info({}, 'stopped');
  };
}

/** What a person sees first: where the server is, and a line to try it with. */
function greeting({ title, version }: Contract, url: string, keyFile: string | undefined, key: string | undefined): string {
  const lines = [`${title} ${version} listens on ${url}`];
  if (key !== undefined)
    lines.push(`The demo account's API key: ${key}`, `Try it:`, `  curl -H 'Authorization: Bearer ${key}' ${url}/pets`);
  if (keyFile !== undefined) lines.push(`The demo account's API key is kept in ${keyFile}`);
  return lines.join('\n');
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
