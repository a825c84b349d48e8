/** A connection of `pg` that cannot hang, and that fails alone: one that is silent, or sends what is not PostgreSQL's protocol, is cut. */
import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Deadlines, onPause, remember, type Timed } from '@specwright/server';
import pg from 'pg';
import { isTracked, SESSION_SETTINGS } from './session-settings.ts';
import { convertArguments } from '../statements/convert-values.ts';
import { distrustNames, keepsNames, probeNames } from '../statements/name-probe.ts';
import { QueryAfterBegin } from '../statements/query-after-begin.ts';
import { FAILED_TRANSACTION, isStaleStatement, isUnknownName } from '../store/sqlstate.ts';

export interface BoundedClientConfig extends pg.ClientConfig {
  /** How long a statement may remain unanswered, in ms, before the connection is cut; 0 for no bound. */
  readonly answerTimeoutMs: number;
  /** Whether statements may have names; true if it is not given. Behind a pooler that does not keep them they have none all the same. */
  readonly preparedStatements?: boolean;
  /** Called when the failure of this connection makes the rest of the pool suspect. */
  readonly onSuspect?: (suspects: Suspects) => void;
}

/** Which connections are suspect, on the clock of `performance.now()`, in ms. */
export interface Suspects {
  /** Those that were opened before. */
  readonly openedBefore?: number;
  /** Those that have not been heard since. */
  readonly silentSince?: number;
}

/** A statement that a connection prepares once, under its name, and then only binds. */
export interface PreparedQuery {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Done = (error: Error | null | undefined, result: pg.QueryResult) => void;

/** A connection is closed politely within this time, in ms: one that is silent would never confirm it. */
const END_TIMEOUT_MS = 500;

/** The transaction of the session is not what it should be: the next one would find it so. */
const SPOILS_SESSION = /^25...$/;
/** A standby that was the primary, or a server that ends: true of all its connections. */
const SPOILS_POOL = /^(25006|57P0[1-3])$/;

/**
 * After a pause of the process that is longer, in ms, connections that were idle are closed: networks forget them without a word, at the
 * earliest after a minute.
 */
const MAX_PAUSE_MS = 60_000;

/** Servers, as `host:port`, that refuse settings in the start-up message: poolers do (PgBouncer, ignore_startup_parameters). */
const withoutStartupSettings = new Set<string>();
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/** One group of deadlines for all connections with the same bound. */
const deadlinesOf = remember((ms: number) => (ms === 0 ? undefined : new Deadlines<BoundedClient>(ms, (client) => client.cutIfSilent(ms))));

/** Why a connection was cut. The code is PostgreSQL's for a connection that failed: the query may be tried again. */
class ConnectionError extends Error {
  readonly code = '08006';
}

type OnConnected = (error: Error | null, client?: unknown) => void;

interface ServerError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly routine?: string;
}

/** What this file uses of `pg.Client` 8; its types have only a part of it. */
interface PgClient extends EventEmitter {
  readonly host: string;
  readonly port: number;
  readonly processID?: number;
  readonly connection: EventEmitter & {
    readonly stream: Duplex;
    readonly parsedStatements: Record<string, string>;
    attachListeners: (stream: Duplex) => void;
    close: (message: { type: 'S'; name: string }) => void;
  };
  /** Whether no statement is under way. */
  readonly readyForQuery?: boolean;
  /** Whether a statement is sent without waiting for the answer to the one before it. */
  pipeline: boolean;
  connect(callback?: OnConnected): unknown;
  query(...args: unknown[]): unknown;
  end(callback?: () => void): Promise<void> | void;
  getStartupConf(): Record<string, string>;
}

/** How many statements a connection has prepared at the most; the one that was used least recently is released for another. */
const MAX_PREPARED = 256;

/** `pg` submits a query object unchanged. From a text: options would be copied, which costs more than the rest of it. */
const PgQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => { name?: string };

const PgClient = pg.Client as unknown as new (config: BoundedClientConfig) => PgClient;

const submitsItself = (statement: unknown): boolean => typeof (statement as { submit?: unknown } | null)?.submit === 'function';

/** As `pg` refuses a statement: the callback gets the error, or the promise that there is without one. */
function refuse(callback: unknown, error: Error): unknown {
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}

/** What submits itself is an object with methods, for this statement alone. */
const withoutName = (statement: object): object =>
  'submit' in statement ? Object.assign(statement, { name: undefined }) : { ...statement, name: undefined };

/** The transaction of a connection. What comes next is in the order of this list, or `none`. */
type TransactionState =
  | { readonly is: 'none' }
  /** BEGIN goes with the next statement. */
  | { readonly is: 'due'; readonly begin: string }
  /** BEGIN is sent; `hasFailed` with statements behind it, which would be run outside of a transaction. */
  | { readonly is: 'beginning'; hasFailed: boolean }
  /** The server has said so. */
  | { readonly is: 'open' }
  /** COMMIT is sent behind the last statements, and whoever ends the transaction has not taken it. */
  | { readonly is: 'committing'; readonly commit: Promise<unknown> };

const NONE: TransactionState = { is: 'none' };
const OPEN: TransactionState = { is: 'open' };

export class BoundedClient extends PgClient implements Timed {
  readonly openedAt = performance.now();
  /** Those of the statement under way (`Timed`). */
  slot = -1;
  deadline = 0;
  /** When the server last answered, on the clock of `performance.now()`, in ms; before that, when the connection was opened. */
  heardAt = this.openedAt;
  /** How many statements the server has answered (ReadyForQuery), and how many are under way. */
  answered = 0;
  /** How many statements this connection was given that could be sent. */
  submitted = 0;
  #pending = 0;
  /** Why the connection must not be used again; the name under which Knex's pool looks for it. */
  __knex__disposed: Error | string | undefined = undefined;
  readonly #deadlines: Deadlines<BoundedClient> | undefined;
  readonly #preparedStatements: boolean;
  readonly #onSuspect: (suspects: Suspects) => void;
  #failure: Error | undefined = undefined;
  #transaction: TransactionState = NONE;
  /** Whether what is sent in this turn of the event loop is kept back until its end. */
  #isCorked = false;
  /** What has failed a transaction, and which answer is the last of those that were sent with it. */
  #cause: { readonly error: ServerError; readonly until: number } | undefined = undefined;
  /** The names of prepared statements, those used least recently first. */
  readonly #prepared = new Set<string>();

  constructor(config: BoundedClientConfig) {
    super(config);
    this.#deadlines = deadlinesOf(config.answerTimeoutMs);
    this.#onSuspect = config.onSuspect ?? (() => undefined);
    this.#preparedStatements = config.preparedStatements ?? true;
    const { connection } = this;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(this.#guard(stream));
    // Before the listeners of `pg`, which submit the next statement.
    connection.on('readyForQuery', ({ status }: { status?: string }) => this.#onAnswer(status));
    connection.on('errorMessage', (error: ServerError) => this.#onError(error));
  }

  override query(...args: unknown[]): unknown {
    const callback = args.at(-1);
    if (this.#failure !== undefined && typeof callback === 'function') {
      // `pg` would only say that the connection is not queryable: this is why.
      process.nextTick(callback, this.#failure);
      return undefined;
    }
    if (this.#transaction.is === 'committing')
      return refuse(callback, new Error('a statement was run after the last one of its transaction, with which it is committed'));
    let converted: readonly unknown[];
    try {
      converted = convertArguments(args);
    } catch (error) {
      return refuse(callback, error instanceof Error ? error : new Error('a value cannot be sent', { cause: error }));
    }
    this.#count();
    const [statement, ...rest] = converted;
    const given = typeof statement === 'object' && statement !== null ? [this.#prepare(statement), ...rest] : converted;
    this.submitted += 1;
    return this.#submit(given);
  }

  #count(): void {
    this.#pending += 1;
    if (this.#pending === 1) this.#deadlines?.start(this, performance.now());
  }

  #submit(args: readonly unknown[]): unknown {
    if (this.#transaction.is === 'due') return this.#queryAfter(this.#transaction.begin, args);
    // What submits itself, such as a cursor, is answered in parts: nothing is sent behind it.
    if (this.isInTransaction && this.#pending === 1 && !submitsItself(args[0])) this.pipeline = true;
    if (this.pipeline && this.isInTransaction) this.#cork();
    return super.query(...args);
  }

  /** What a transaction has to send in one turn of the event loop goes out in one write. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.connection;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Sends COMMIT behind the statements that were sent in this turn of the event loop, in the same write, if a transaction has begun. */
  sendCommit(): void {
    if (this.#transaction.is !== 'open') return;
    this.#count();
    const commit = new Promise((resolve, reject) => {
      super.query('COMMIT', (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
    });
    commit.catch(() => undefined);
    this.#transaction = { is: 'committing', commit };
  }

  /** @returns the answer to the COMMIT that was sent already; undefined if there was none. The connection is free for another transaction. */
  takeCommit(): Promise<unknown> | undefined {
    if (this.#transaction.is !== 'committing') return undefined;
    const { commit } = this.#transaction;
    this.#transaction = NONE;
    return commit;
  }

  /** Whether a statement is answered after others that are under way, which is so in a transaction that has begun. */
  get isInTransaction(): boolean {
    return this.#transaction.is === 'open';
  }

  /** Keeps account of what is prepared under a name, or takes the name away. */
  #prepare(statement: { readonly name?: string; readonly submit?: unknown }): object {
    const { name } = statement;
    if (name === undefined) return statement;
    if (!this.#preparedStatements || keepsNames(this.#address) !== true) return withoutName(statement);
    // A new one is added at the end.
    this.#prepared.delete(name);
    this.#prepared.add(name);
    // Only while nothing is under way: what is released is not waited for by a statement that was not sent yet.
    if (this.#prepared.size > MAX_PREPARED && this.#pending === 1) {
      const [oldest = ''] = this.#prepared;
      this.#prepared.delete(oldest);
      delete this.connection.parsedStatements[oldest];
      this.connection.close({ type: 'S', name: oldest });
    }
    return statement;
  }

  override connect(callback?: OnConnected): unknown {
    if (callback === undefined)
      return new Promise<unknown>((resolve, reject) => void this.connect((error) => (error ? reject(error) : resolve(this))));
    this.connection.once(
      'end',
      onPause((ms) => this.#afterPause(ms)),
    );
    return super.connect((error) => {
      if (error || !this.#preparedStatements || keepsNames(this.#address) !== undefined) return callback(error, this);
      // Past `query`, which would take the name away.
      this.#count();
      const session = { processID: this.processID, query: (statement: object, done: unknown) => super.query(statement, done) };
      probeNames(this.#address, session, () => callback(null, this));
    });
  }

  #queryAfter(begin: string, args: readonly unknown[]): unknown {
    this.#transaction = { is: 'beginning', hasFailed: false };
    if (submitsItself(args[0])) {
      // What submits itself, such as a cursor, is sent only when BEGIN has succeeded.
      this.#pending += 1;
      super.query(begin, (error: Error | null) => error && this.abandon(error));
      return super.query(...args);
    }
    const query = new QueryAfterBegin(
      begin,
      args,
      () => this.isInTransaction,
      (error) => this.abandon(error),
    );
    if (typeof args.at(-1) === 'function') return super.query(query);
    return new Promise((resolve, reject) => {
      super.query(query, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
    });
  }

  /** Begins a transaction with the next statement. @param begin BEGIN, with the mode of the transaction. */
  beginWithNext(begin: string): void {
    this.#transaction = { is: 'due', begin };
  }

  /** @returns whether there was a transaction that no statement has begun. */
  forgetBegin(): boolean {
    const isForgotten = this.#transaction.is === 'due';
    if (isForgotten) this.#transaction = NONE;
    return isForgotten;
  }

  /** @param send calls `sendPrepared` for each statement: they are sent in one write. */
  sendTogether(send: () => void): void {
    const { stream } = this.connection;
    this.pipeline = true;
    stream.cork();
    send();
    stream.uncork();
    // None of them could be sent.
    if (this.#pending === 0) this.pipeline = false;
  }

  /** @returns what `answered` is when the server has answered this statement, and nothing behind it. */
  sendPrepared({ name, text, values }: PreparedQuery, done: Done): number {
    const query = new PgQuery(text, values);
    if (name !== undefined) query.name = name;
    this.query(query, done);
    return this.answered + this.#pending;
  }

  /** Closes the connection, whose other statements fail. */
  abandon(error: Error): void {
    this.__knex__disposed = error;
    this.connection.stream.destroy(error);
  }

  override end(callback?: () => void): Promise<void> | void {
    const timer = setTimeout(() => this.connection.stream.destroy(), END_TIMEOUT_MS).unref();
    this.connection.once('end', () => clearTimeout(timer));
    return super.end(callback);
  }

  override getStartupConf(): Record<string, string> {
    // `pg` leaves out a timeout of 0, and the session would have the default of its role.
    const timeouts = Object.fromEntries(TIMEOUTS.map((name) => [name, '0']));
    const settings = { ...timeouts, ...super.getStartupConf(), ...SESSION_SETTINGS };
    if (!withoutStartupSettings.has(this.#address)) return settings;
    const isRefused = (name: string) => name in timeouts || (name in SESSION_SETTINGS && !isTracked(name));
    return Object.fromEntries(Object.entries(settings).filter(([name]) => !isRefused(name)));
  }

  get #address(): string {
    return `${this.host}:${this.port}`;
  }

  cutIfSilent(ms: number): void {
    // A statement that was refused before it was sent has no answer.
    if (this.readyForQuery === true) this.#pending = 0;
    else this.#cut(new ConnectionError(`the database has not answered within ${ms} ms`), performance.now() - ms);
  }

  #afterPause(ms: number): void {
    if (ms > MAX_PAUSE_MS && this.#pending === 0) this.#cut(new ConnectionError(`the process was paused for ${Math.round(ms / 1000)} s`));
  }

  /** Closes the connection without a word to the server. Statements under way and later ones get the error. */
  #cut(error: ConnectionError, silentSince?: number): void {
    if (this.#failure !== undefined) return;
    this.#failure = this.__knex__disposed = error;
    this.#deadlines?.end(this);
    this.connection.stream.destroy(error);
    if (silentSince !== undefined) this.#onSuspect({ silentSince });
  }

  #cutUnreadable(cause: Error): void {
    this.#cut(new ConnectionError(`the database sent what is not its protocol: ${cause.message}`, { cause }), this.heardAt);
  }

  /** @param status of the session: `I` idle, `T` in a transaction, `E` in one that has failed (PostgreSQL, 54.7). */
  #onAnswer(status: string | undefined): void {
    const before = this.#transaction;
    if (before.is !== 'due' && before.is !== 'committing') this.#transaction = status === 'T' ? OPEN : NONE;
    this.answered += 1;
    this.heardAt = performance.now();
    this.#pending = Math.max(0, this.#pending - 1);
    if (this.#pending > 0) this.#deadlines?.start(this, this.heardAt);
    else {
      this.#deadlines?.end(this);
      this.pipeline = false;
    }
    if (before.is === 'beginning' && before.hasFailed && status === 'I') this.abandon(new Error('a transaction could not be begun'));
  }

  #onError(error: ServerError): void {
    const { code = '', message } = error;
    // Before the caller knows, whose ROLLBACK may follow.
    if (this.#transaction.is === 'beginning') this.#transaction.hasFailed = this.#pending > 1;
    if (this.#isOfFailedTransaction(error)) return;
    // PostgreSQL's own errors have a code: this one is of the parser, which cannot go on. The statement gets it unchanged.
    if (code === '') return this.#cutUnreadable(Object.assign(error, { code: '08P01' }));
    if (code === '08P01' && message.includes('startup parameter')) withoutStartupSettings.add(this.#address);
    const isStale = isStaleStatement(error);
    if (isUnknownName(error)) distrustNames(this.#address);
    if (isStale || SPOILS_SESSION.test(code)) this.__knex__disposed = error;
    // After a change of the schema every connection has statements that are stale.
    if (isStale || SPOILS_POOL.test(code)) this.#onSuspect({ openedBefore: performance.now() });
  }

  /** Who waits for several statements gets the error of the one that has failed: those behind it only say that one has. */
  #isOfFailedTransaction(error: ServerError): boolean {
    if (error.code !== FAILED_TRANSACTION) {
      this.#cause = { error, until: this.answered + this.#pending };
      return false;
    }
    if (this.#cause === undefined || this.answered >= this.#cause.until) return false;
    const { code, constraint, message, routine } = this.#cause.error;
    Object.assign(error, { code, constraint, message, routine });
    return true;
  }

  /** The parser of `pg` throws in the listener of the socket, where it would not be caught: the process would end. */
  #guard(stream: Duplex): Duplex {
    const on = (event: string, listener: (chunk: Buffer) => void) =>
      stream.on(event, (chunk: Buffer) => {
        try {
          listener(chunk);
        } catch (error) {
          this.#cutUnreadable(error as Error);
        }
      });
    return { on } as unknown as Duplex;
  }
}
