/** Sends the prepared reads of one turn of the event loop over one connection, in one write: PostgreSQL's pipelining. */
import { AsyncResource } from 'node:async_hooks';
import { findTelemetry } from '@specwright/server';
import type { QueryResult } from 'pg';
import type { BoundedClient, PreparedQuery } from '../connection/bounded-client.ts';
import type { Database } from '../connection/connect.ts';
import type { KnexClient } from '../connection/knex-client.ts';

/** The most statements in a write. The last of them waits for all before it. */
const MAX_STATEMENTS = 64;

/** Query canceled, which a timeout does, and lock not available: those behind such a statement in a pipeline would each take as long. */
const TOOK_TOO_LONG = /^(57014|55P03)$/;

interface Waiting extends PreparedQuery {
  /** Sends it; in the asynchronous context of the caller, if requests are traced. */
  readonly send: (connection: BoundedClient, done: Done) => void;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

type Done = (error: Error | null | undefined, result: QueryResult) => void;

/** The connection was given up because a statement before took too long. Alone, this one may be quick. */
export class AbandonedError extends Error {}

/**
 * The prepared reads of a pool. A write to a socket costs more than building, sending and reading a statement do together, and
 * the answers to many are read as one. Each is a separate transaction, as when it is sent alone.
 */
export class Pipeline {
  readonly #client: KnexClient;
  readonly #bind: <Send extends Waiting['send']>(send: Send) => Send;
  #waiting: Waiting[] = [];

  constructor(client: KnexClient) {
    this.#client = client;
    this.#bind = findTelemetry() === undefined ? (send) => send : (send) => AsyncResource.bind(send);
  }

  /** @returns the rows. @throws AbandonedError; the error of `pg`, or of the pool. */
  run(query: PreparedQuery): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const send = this.#bind((connection: BoundedClient, done: Done) => connection.sendPrepared(query, done));
      this.#waiting.push({ ...query, send, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#sendWaiting());
    });
  }

  /** What is asked for while a connection is waited for is sent over it, too. */
  async #sendWaiting(): Promise<void> {
    let connection: BoundedClient;
    try {
      connection = await this.#client.acquireConnection();
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return;
    }
    const group = this.#waiting.splice(0, MAX_STATEMENTS);
    if (this.#waiting.length > 0) void this.#sendWaiting();
    let unanswered = group.length;
    let isAbandoned = false;
    connection.sendTogether(() => {
      for (const { send, resolve, reject } of group)
        send(connection, (error, result) => {
          unanswered -= 1;
          if (!error) resolve(result.rows);
          else reject(isAbandoned ? new AbandonedError('a statement before it took too long', { cause: error }) : error);
          if (unanswered === 0) this.#release(connection);
          else if (error && !isAbandoned && TOOK_TOO_LONG.test((error as { code?: string }).code ?? '')) {
            isAbandoned = true;
            connection.abandon(error);
          }
        });
    });
  }

  #release(connection: BoundedClient): void {
    connection.endPipeline();
    void this.#client.releaseConnection(connection);
  }
}

const pipelines = new WeakMap<object, Pipeline>();

/** The pipeline of a pool. */
export function pipelineOf(db: Database): Pipeline {
  const client = db.client as KnexClient;
  let pipeline = pipelines.get(client);
  if (pipeline === undefined) {
    pipeline = new Pipeline(client);
    pipelines.set(client, pipeline);
  }
  return pipeline;
}
