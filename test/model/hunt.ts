/** Runs drawn state machines until the time is over or one has found a problem, which is then made as small as the time allows. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createDatabase, startReceiver, type LogLine } from 'specwright/testing';
import { startPostgresProxy } from '../support/tools/postgres-proxy.ts';
import { faults, delays, type Fault } from './faults.ts';
import { countHandles, findHandles, findSessions } from './leaks.ts';
import { clientDraws } from './requests.ts';
import { Service } from './service.ts';
import { streamDraws, type Part } from './stream-requests.ts';
import { createTables, openResources } from './streams.ts';
import { Violation } from './violation.ts';
import { World, type Batch, type Surroundings } from './world.ts';

export interface HuntOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Of a run that has failed. */
  readonly path?: string | undefined;
  readonly isLenient?: boolean | undefined;
  /** Default: all. */
  readonly part?: Part | undefined;
  /** Whether there is the second actor. Default: true. */
  readonly hasFaults?: boolean | undefined;
  /** How long a problem is made smaller, in s. */
  readonly shrinkSeconds?: number | undefined;
  /** Changes what is tested: a test of this test. */
  readonly prepare?: ((surroundings: Surroundings) => PromiseLike<unknown>) | undefined;
}

/** @property problem with the requests, the seed and the path, if one was found. */
export interface HuntResult {
  readonly problem: string | undefined;
  readonly summary: string;
}

/** What is drawn once a step: requests of up to four clients, and what happens to them. */
class SendBatch implements fc.AsyncCommand<object, World> {
  readonly #batch: Batch;

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, world: World): Promise<void> {
    await world.run(this.#batch);
  }

  toString(): string {
    return JSON.stringify(this.#batch);
  }
}

const batchesOf = (part: Part, hasFaults: boolean) =>
  fc
    .record({
      clients: clientDraws,
      streams: streamDraws[part],
      fault: hasFaults ? faults : fc.constant<Fault>({ kind: 'none' }),
      delays,
    })
    .map((batch) => new SendBatch(batch));

const MAX_BATCHES = 12;
/** How often a smaller run is tried: what depends on the time does not fail each time. */
const ATTEMPTS = 6;
const SHRINK_SECONDS = 20;
const MAX_RUNS = 1_000_000;
const UNCOUNTED = / (events|queue|readiness)/;

/** Errors in the log of the service, with the first lines of their stacks. */
const errorsOf = (log: readonly LogLine[]): string =>
  log
    .filter(({ level }) => level === 'error')
    .map(({ message, ...fields }) => {
      const { stack = '', cause } = (fields as { err?: Error }).err ?? {};
      const lines = `${stack.split('\n').slice(0, 6).join('\n  ')}${cause === undefined ? '' : `\n  cause: ${inspect(cause)}`}`;
      return `\nlogged: ${message} ${JSON.stringify({ ...fields, err: undefined })}\n  ${lines}`;
    })
    .join('');

export async function hunt({
  seconds,
  seed,
  path,
  part = 'all',
  hasFaults = true,
  isLenient = false,
  shrinkSeconds = SHRINK_SECONDS,
  prepare,
}: HuntOptions): Promise<HuntResult> {
  const database = await createDatabase();
  await createTables(database.db);
  const proxy = await startPostgresProxy(database.url, 0, UNCOUNTED);
  const receiver = await startReceiver();
  const resources = openResources();
  const log: LogLine[] = [];
  const options = { databaseUrl: proxy.url, resources, log };
  // Connections of the tests' own pool stay.
  await Promise.all(Array.from({ length: 3 }, () => database.db.raw('SELECT pg_sleep(0.02)')));
  const handles = countHandles();
  const surroundings: Surroundings = {
    db: database.db,
    proxy,
    service: await Service.start(options),
    resources,
    webhookUrl: receiver.url,
    statuses: new Map(),
    log,
    isLenient,
  };
  await prepare?.(surroundings);
  const uncaught: string[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(`nobody has caught: ${inspect(error)}`);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);

  const start = performance.now();
  let runs = 0;
  let failedAt: number | undefined;
  const once = async (commands: Iterable<fc.AsyncCommand<object, World>>) => {
    runs += 1;
    log.length = 0;
    const world = await World.open(surroundings);
    try {
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      await world.close();
      if (uncaught.length > 0) throw new Violation(uncaught.splice(0));
    } catch (error) {
      const injected = proxy.faulty.length === 0 ? '' : `\nthe last fault was of: ${proxy.faulty.join('; ')}`;
      proxy.clear();
      world.abandon();
      resources.iterators.clear();
      uncaught.length = 0;
      if (error instanceof Violation) error.message += `${injected}${errorsOf(log)}`;
      throw error;
    }
  };
  const property = fc.asyncProperty(fc.commands([batchesOf(part, hasFaults)], { maxCommands: MAX_BATCHES }), async (commands) => {
    const isShrinking = failedAt !== undefined;
    if (!isShrinking && performance.now() - start > seconds * 1000) return;
    if (isShrinking && performance.now() - (failedAt as number) > shrinkSeconds * 1000) return;
    for (let attempt = 0; attempt < (isShrinking ? ATTEMPTS : 1); attempt++) {
      try {
        await once(commands);
      } catch (error) {
        failedAt ??= performance.now();
        throw error;
      }
    }
  });
  const details = await fc.check(property, {
    seed,
    ...(path !== undefined && { path }),
    numRuns: MAX_RUNS,
    interruptAfterTimeLimit: (seconds + shrinkSeconds) * 1000,
    markInterruptAsFailure: false,
  });
  const foundAfter = failedAt === undefined ? undefined : Math.round((failedAt - start) / 1000);
  await surroundings.service.close();
  const left = [...surroundings.service.problems.splice(0), ...(await findSessions(database.db)), ...(await findHandles(handles))];
  process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
  await proxy.close();
  await receiver.close();
  await database.drop();
  resources.remove();
  const counts = [...surroundings.statuses].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const summary = `${runs} runs in ${Math.round((performance.now() - start) / 1000)} s; answers: ${counts.map(([status, n]) => `${status} ${n}`).join(', ')}`;
  if (!details.failed) return { problem: left.length > 0 ? left.join('\n') : undefined, summary };
  const error = details.errorInstance as Error;
  const problem = [
    `found after ${foundAfter} s: npm run ts -- test/model/run.ts --seed ${details.seed} --path ${details.counterexamplePath}`,
    `the smallest run that fails: ${fc.stringify(details.counterexample?.[0])}`,
    error instanceof Violation ? error.message : inspect(error),
  ].join('\n');
  return { problem, summary };
}
