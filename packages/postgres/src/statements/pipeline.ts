/** Sends the prepared reads of one turn of the event loop over one connection, in one write: PostgreSQL's pipelining. */
import { AsyncResource } from 'node:async_hooks';
import { findTelemetry, inBackground, remember } from '@specwright/server';
import knex from 'knex';
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
  readonly send: (connection: BoundedClient, done: Done) => number;
  /** When it was asked for, on the clock of `performance.now()`, in ms. */
  readonly since: number;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

type Done = (error: Error | null | undefined, result: QueryResult) => void;

/** The connection was given up because of another statement. Alone, this one may be quick. */
export class AbandonedError extends Error {}

/**
 * The prepared reads of a pool. A write to a socket costs more than building, sending and reading a statement do together, and
 * the answers to many are read as one. Each is a separate transaction, as when it is sent alone.
 */
export class Pipeline {
  readonly #client: KnexClient;
  readonly #bind: <Send extends Waiting['send']>(send: Send) => Send;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(client: KnexClient) {
    this.#client = client;
    this.#bind = findTelemetry() === undefined ? (send) => send : (send) => AsyncResource.bind(send);
  }

  /** @returns the rows. @throws AbandonedError; the error of `pg`, or of the pool. */
  run(query: PreparedQuery): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const send = this.#bind((connection: BoundedClient, done: Done) => connection.sendPrepared(query, done));
      this.#waiting.push({ ...query, send, since: performance.now(), resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => inBackground(this.#sendWaiting()));
    });
  }

  /** What is asked for while a connection is waited for is sent over it, too. */
  async #sendWaiting(): Promise<void> {
    const began = performance.now();
    let connection: BoundedClient;
    try {
      connection = await this.#client.acquireConnection();
    } catch (error) {
      return this.#rejectWaiting(error, began);
    }
    const group = this.#waiting.splice(0, MAX_STATEMENTS);
    if (this.#waiting.length > 0) inBackground(this.#sendWaiting());
    if (group.length > 0) this.#send(connection, group);
    // All have waited for too long meanwhile.
    else inBackground(this.#client.releaseConnection(connection));
  }

  /** @param began when the connection was asked for: who came later has waited for less, and may still get one. */
  #rejectWaiting(error: unknown, began: number): void {
    const late = error instanceof knex.KnexTimeoutError ? this.#waiting.filter(({ since }) => since > began) : [];
    for (const { reject } of this.#waiting.splice(0, this.#waiting.length - late.length)) reject(error);
    if (late.length === 0) return;
    inBackground(this.#sendWaiting());
    this.#rejectWhenDue(error);
  }

  /** Who came late is rejected after as long a wait as the first, not with the connection that is asked for now. */
  #rejectWhenDue(error: unknown): void {
    const timeoutMs = this.#client.config.acquireConnectionTimeout ?? 0;
    const [next] = this.#waiting;
    if (next === undefined || this.#timer !== undefined) return;
    const rejectDue = () => {
      this.#timer = undefined;
      const dueBefore = performance.now() - timeoutMs;
      while (this.#waiting[0] !== undefined && this.#waiting[0].since <= dueBefore) this.#waiting.shift()?.reject(error);
      this.#rejectWhenDue(error);
    };
    this.#timer = setTimeout(rejectDue, Math.max(1, Math.ceil(next.since + timeoutMs - performance.now()))).unref();
  }

  /** Each answer is counted once and compared with the place of its statement: a connection that is out of step is given up. */
  #send(connection: BoundedClient, group: readonly Waiting[]): void {
    let unanswered = group.length;
    let isAbandoned = false;
    const abandon = (error: Error) => {
      isAbandoned = true;
      connection.abandon(error);
    };
    connection.sendTogether(() => {
      for (const { send, resolve, reject } of group) {
        let isAnswered = false;
        const due = send(connection, (error, result) => {
          if (isAnswered) return abandon(new Error('a statement was answered twice'));
          isAnswered = true;
          unanswered -= 1;
          const isInStep = connection.answered === due && isOfStatement(result) && !isAbandoned;
          if (!error && isInStep) resolve(result.rows);
          else if (!error) abandon(outOfStep(reject));
          else if (isAbandoned) reject(new AbandonedError('a statement before it failed with its connection', { cause: error }));
          else {
            reject(error);
            if (unanswered > 0 && TOOK_TOO_LONG.test((error as { code?: string }).code ?? '')) abandon(error);
          }
          if (unanswered > 0) return;
          // An error is told before the server is ready for the next statement.
          connection.pipeline = false;
          inBackground(this.#client.releaseConnection(connection));
        });
      }
    });
  }
}

/** A result without a command is that of no statement; in the types each has one. */
const isOfStatement = (result: { readonly command: string | null } | undefined): boolean => result?.command !== null;

/** The answer may be that of another statement: this one is run again. @returns why the connection is given up. */
function outOfStep(reject: (error: unknown) => void): Error {
  const error = new AbandonedError('the answers of the database are out of step with the statements');
  reject(error);
  return error;
}

const pipelineOfClient = remember((client: KnexClient) => new Pipeline(client), new WeakMap<KnexClient, Pipeline>());

export const pipelineOf = (db: Database): Pipeline => pipelineOfClient(db.client as KnexClient);
