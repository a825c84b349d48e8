/** The pet store and the contract with streams beside it, in this process: started, drained and replaced while clients call them. */
import type { Server } from 'node:http';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContractTypes } from '../../generated/contract.ts';
import { databaseProbe, openDatabase, type Database } from '@specwright/postgres';
import { close, createReadiness, type Contract } from '@specwright/server';
import { createTestLog, listenOnFreePort, scaleTimeout, type LogLine } from 'specwright/testing';
import { usedConnections } from '../support/service/used-connections.ts';
import { NAME, readConfig } from '../../src/config.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { createService, loadPetStore } from '../../src/service.ts';
import { omittedOperations } from '../../src/sign-ups.ts';
import { createStreamServer, loadStreams, type Resources } from './streams.ts';

/** Short, so that deadlines pass; what is waited for in a handler is longer. On a busy machine more requests are answered with 503, which is right. */
export const REQUEST_TIMEOUT_MS = 900;
/** How long a server may need to close beyond its drain: requests under way end at their deadline. */
const CLOSE_BOUND_MS = REQUEST_TIMEOUT_MS + scaleTimeout(1000);
/** When connections are cut: far above the bound, so that it shows what is never told to leave. */
const SHUTDOWN_TIMEOUT_MS = 2 * CLOSE_BOUND_MS + 3000;
/** Connections of requests. Few, so that they are waited for. */
const POOL = 8;

export interface ServiceInstance {
  readonly storeUrl: string;
  readonly streamsUrl: string;
  readonly db: Database;
  /** As on SIGTERM: serves for `drainDelay` ms more, then ends. @returns what took too long. */
  readonly drain: (drainDelay: number) => Promise<string[]>;
}

/** What both instances of a restart have in common. */
export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly resources: Resources;
  /** What has gone wrong, as the log says it: lines of the level `error`. */
  readonly log: LogLine[];
}

const contracts: { store?: Promise<Contract<ContractTypes>>; streams?: Promise<Contract> } = {};
const dataDir = mkdtempSync(join(tmpdir(), 'model-data-'));

export async function startInstance({ databaseUrl, resources, log: lines }: ServiceOptions): Promise<ServiceInstance> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: String(POOL),
    DATA_DIR: dataDir,
    REQUEST_TIMEOUT: String(REQUEST_TIMEOUT_MS),
    SHUTDOWN_TIMEOUT: String(SHUTDOWN_TIMEOUT_MS),
    RATE_LIMIT_TIMEOUT: String(scaleTimeout(300)),
    TRUST_PROXY: 'X-Forwarded-For',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    METRICS: 'on',
    DOCS: 'off',
    LOG_REQUESTS: 'errors',
  });
  const contract = await (contracts.store ??= loadPetStore(omittedOperations(config)));
  const log = createTestLog(lines);
  const database = await openDatabase({ ...config, name: NAME, connectNow: false });
  const readiness = createReadiness({ log, ...databaseProbe({ url: database.url, name: NAME, schema }) });
  const server = createService({ config, contract, database, readiness, log });
  const { db } = database;
  const streams = createStreamServer({
    contract: await (contracts.streams ??= loadStreams()),
    db,
    resources,
    log,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  const [store, streamsApp] = [await listenOnFreePort(server), await listenOnFreePort(streams.server)];
  await readiness.start();

  /** As `src/main.ts` does it. */
  async function drain(drainDelay: number): Promise<string[]> {
    const timed = async (name: string, server: Server) => {
      const start = performance.now();
      await close(server, SHUTDOWN_TIMEOUT_MS, drainDelay);
      const took = Math.round(performance.now() - start - drainDelay);
      return took > CLOSE_BOUND_MS ? [`${name} took ${took} ms to close after its drain, more than ${CLOSE_BOUND_MS}`] : [];
    };
    // The pet store closes the database, which both have.
    const ofStreams = timed('the server of streams', streams.server).finally(streams.close);
    await ofStreams;
    return [...(await timed('the pet store', server)), ...(await ofStreams)];
  }
  return { storeUrl: store.url, streamsUrl: streamsApp.url, db, drain };
}

/** The service that clients call: an instance, and the one that replaces it. */
export class Service {
  readonly #options: ServiceOptions;
  #current: ServiceInstance;
  #drains = new Set<Promise<void>>();
  #others: ServiceInstance[] = [];
  /** What took too long. */
  readonly problems: string[] = [];

  private constructor(options: ServiceOptions, current: ServiceInstance) {
    this.#options = options;
    this.#current = current;
  }

  static async start(options: ServiceOptions): Promise<Service> {
    return new Service(options, await startInstance(options));
  }

  get current(): ServiceInstance {
    return this.#current;
  }

  /** Whether no connection of requests is used, waited for or opened. */
  isIdle(): boolean {
    return [this.#current, ...this.#others].every(({ db }) => usedConnections(db) === 0);
  }

  /** Replaces the instance as a deployment does: the old one serves for `drainDelay` ms, and clients find the new one behind that. */
  async restart(drainDelay: number): Promise<void> {
    const old = this.#current;
    this.#others.push(old);
    const closing = old.drain(drainDelay);
    const drained = closing.then((problems) => {
      this.problems.push(...problems);
      this.#others = this.#others.filter((other) => other !== old);
    });
    this.#drains.add(drained);
    const [next] = await Promise.all([startInstance(this.#options), new Promise((resolve) => setTimeout(resolve, drainDelay))]);
    this.#current = next;
    await drained;
    this.#drains.delete(drained);
  }

  async close(): Promise<void> {
    await Promise.all(this.#drains);
    this.problems.push(...(await this.#current.drain(0)));
  }
}
