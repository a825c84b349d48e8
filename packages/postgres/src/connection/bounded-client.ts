/** A connection of `pg` that cannot hang, and that fails alone: one that is silent, or sends what is not PostgreSQL's protocol, is cut. */
import type { Duplex } from 'node:stream';
import { Deadlines, onPause, remember, type Timed } from '@specwright/contract/runtime';
import pg from 'pg';
import { FAILED_TRANSACTION, isStaleStatement, isUnknownName } from '../store/sqlstate.ts';
import { addressOf } from './connection-problem.ts';
import {
  type BoundedClientConfig,
  type Done,
  NOTHING,
  type PgClient,
  type Result,
  type ServerError,
  type Statement,
  type StatementConfig,
  type Submittable,
} from './statement.ts';
import { QueryAfterBegin } from './query-after-begin.ts';
import { distrustNames, findSession, type FoundSession, prepareSession } from './session-probe.ts';
import { localSettings, withSettings } from './session-settings.ts';
import { convertValues, needConversion } from './values.ts';

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
/**
 * How many statements a connection prepares at the most; further ones have no name on it. None is evicted: where more than these are used in
 * turn, each would be closed and prepared again, which is dearer than to parse it.
 */
const MAX_PREPARED = 256;

/** The name of a statement on a connection. */
interface Prepared {
  /** Whether the server has the statement. */
  isParsed: boolean;
  /** The error of the first one of this name, if that may be why the server does not have it. */
  error: Error | undefined;
  /** The last statement of this name, as `configOf` has it. */
  config?: StatementConfig;
}

/**
 * A statement as `pg` takes it beside its values (node-postgres.com/apis/client, `client.query`). It copies what an object has itself, one
 * property after another, which takes 2 µs for three: this one has nothing itself, and is made once for a name. A text is not copied.
 */
function configOf({ text, types, rowMode, queryMode, query_timeout }: Statement, name?: string): StatementConfig | string {
  const isText = name === undefined && (types ?? rowMode ?? queryMode ?? query_timeout) === undefined;
  return isText ? text : (Object.create({ text, name, types, rowMode, queryMode, query_timeout }) as StatementConfig);
}

/** One group of deadlines for all connections with the same bound. */
const deadlinesOf = remember((ms: number) => (ms === 0 ? undefined : new Deadlines<BoundedClient>(ms, (client) => client.cutIfSilent(ms))));

/** Why a connection was cut. The code is PostgreSQL's for a connection that failed: the query may be tried again. */
class ConnectionError extends Error {
  readonly code = '08006';
}

const Client = pg.Client as unknown as new (config: pg.ClientConfig) => PgClient;

export class BoundedClient extends Client implements Timed {
  /** `host:port/database`. */
  readonly address: string;
  readonly openedAt = performance.now();
  /** Of the statement under way (`Timed`): watched while the connection is open, and moved by each statement. */
  slot = -1;
  deadline = Infinity;
  /** When the server last answered, on the clock of `performance.now()`, in ms; before that, when the connection was opened. */
  heardAt = this.openedAt;
  /** How many statements are under way. */
  pending = 0;
  /** Whether what is sent waits for the end of this turn. */
  isCorked = false;
  /** Whether a transaction of whoever uses the connection has begun. */
  isInTransaction = false;
  /** Why the connection must not be used again. */
  failure: Error | undefined = undefined;
  readonly #config: BoundedClientConfig;
  readonly #answerTimeoutMs: number;
  readonly #found: FoundSession;
  readonly #deadlines: Deadlines<BoundedClient> | undefined;
  /** By their names; undefined for one that has no name on this connection. */
  readonly #prepared = new Map<string, Prepared | undefined>();
  #guarded: Duplex | undefined = undefined;

  constructor(config: BoundedClientConfig) {
    const address = addressOf(config.connectionString ?? '');
    const found = findSession(address);
    super(withSettings(config, found.refusesSettings === true));
    this.address = address;
    this.#config = config;
    this.#answerTimeoutMs = config.answerTimeoutMs || Infinity;
    this.#found = found;
    this.#deadlines = deadlinesOf(config.answerTimeoutMs);
    this.#guard(this.connection.stream);
    // The statement on a lost connection gets the error; without a listener it would also end the process.
    this.on('error', (error: Error) => void (this.failure ??= error));
    this.on('end', () => {
      this.failure ??= new ConnectionError('the connection has ended');
      this.#deadlines?.end(this);
    });
  }

  /** The process of the session, as the server has told at the start. */
  get backend(): number {
    return (this as unknown as { processID: number }).processID;
  }

  override connect(callback?: (error: Error | null, client?: unknown) => void): unknown {
    if (callback === undefined)
      return new Promise((resolve, reject) => void this.connect((error) => (error === null ? resolve(this) : reject(error))));
    this.once(
      'end',
      onPause((ms) => this.#afterPause(ms)),
    );
    return super.connect((error) => {
      // It may be another one, of TLS.
      this.#guard(this.connection.stream);
      if (error) return callback(error);
      this.#deadlines?.start(this, this.pending > 0 ? performance.now() : Infinity);
      prepareSession(this, this.#config.preparedStatements ?? true, (problem) => {
        if (problem !== null) this.cut(problem);
        callback(problem, this);
      });
    });
  }

  /** As `query` of `pg`. What submits itself, such as a cursor, is not bounded: its rows are asked for as they are read. */
  override query(...args: unknown[]): unknown {
    const [first, second] = args;
    if (typeof (first as Partial<Submittable> | undefined)?.submit === 'function') return super.query(...args);
    const done = args.at(-1);
    if (typeof done !== 'function')
      return new Promise((resolve, reject) =>
        this.query(...args, (error: Error | null, result: Result) => (error ? reject(error) : resolve(result))),
      );
    const statement = typeof first === 'string' ? { text: first } : (first as Statement);
    this.send(Array.isArray(second) ? { ...statement, values: second } : statement, done as Done);
    return undefined;
  }

  /**
   * @param done called once. @param begin what begins the transaction of which it is the first statement.
   * @returns whether it was sent: otherwise `done` gets the reason, such as a value that cannot be.
   */
  send(statement: Statement, done: Done, begin?: string): boolean {
    let { values } = statement;
    try {
      if (this.failure !== undefined) throw this.failure;
      if (values !== undefined && needConversion(values)) values = convertValues(values);
    } catch (error) {
      process.nextTick(done, error, NOTHING);
      return false;
    }
    const used = statement.name === undefined ? undefined : this.#prepare(statement, statement.name);
    const config = used?.config ?? configOf(statement);
    this.pending += 1;
    if (this.pending === 1) this.deadline = performance.now() + this.#answerTimeoutMs;
    const onAnswer = (problem: ServerError | null | undefined, result: Result = NOTHING): void => {
      let error = problem ?? null;
      this.heardAt = performance.now();
      this.pending -= 1;
      this.deadline = this.pending > 0 ? this.heardAt + this.#answerTimeoutMs : Infinity;
      if (used?.isParsed === false) error = this.#onFirstAnswer(statement.name as string, used, error, begin !== undefined);
      if (error !== null) this.#onError(error);
      // What follows on the connection would be the answer to another statement, as what was read with it may be.
      else if (used !== undefined && result.command === null)
        this.cut(new ConnectionError('the answers of the database are out of step with the statements'));
      done(error ?? this.failure ?? null, result);
    };
    if (begin === undefined) super.query(config, values, onAnswer);
    else super.query(new QueryAfterBegin(this.#beginWith(begin), config, values, onAnswer));
    return true;
  }

  /** Behind a pooler sessions have not the settings of the start-up message: each transaction gets them. */
  #beginWith(begin: string): readonly string[] {
    return this.#found.hasSettings === false ? [begin, ...localSettings(this.#config.settings ?? {})] : [begin];
  }

  /** Sends what submits itself while nothing else is under way: a portal that is kept open cannot be in a pipeline (Switching modes). */
  async submitAlone(statement: object, begin?: string): Promise<void> {
    await this.query(begin === undefined ? '' : this.#beginWith(begin).join(';'));
    const { pipeline } = this;
    this.pipeline = false;
    super.query(statement);
    this.once('drain', () => void (this.pipeline = pipeline));
  }

  /** Sends a statement under its name, though it is not known whether names are kept. */
  probe(statement: Statement, done: Done): void {
    if (statement.name !== undefined) this.#prepared.set(statement.name, { isParsed: false, error: undefined });
    this.send(statement, done);
  }

  /** What is sent from here to `uncork`, which the caller schedules, goes out in one write. */
  cork(): void {
    this.isCorked = true;
    this.connection.stream.cork();
  }

  readonly uncork = (): void => {
    this.isCorked = false;
    this.connection.stream.uncork();
  };

  /** Closes the connection without a word to the server. Statements under way and later ones get the error. */
  cut(error: Error): void {
    this.failure ??= error;
    this.#deadlines?.end(this);
    this.connection.stream.destroy(error);
  }

  override end(callback?: () => void): Promise<void> | void {
    const timer = setTimeout(() => this.connection.stream.destroy(), END_TIMEOUT_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return super.end(callback);
  }

  cutIfSilent(ms: number): void {
    if (this.pending === 0) return;
    const silentSince = performance.now() - ms;
    this.cut(new ConnectionError(`the database has not answered within ${ms} ms`));
    this.#config.onSuspect?.({ silentSince });
  }

  #afterPause(ms: number): void {
    if (ms > MAX_PAUSE_MS && this.pending === 0) this.cut(new ConnectionError(`the process was paused for ${Math.round(ms / 1000)} s`));
  }

  #cutUnreadable(cause: Error): void {
    if (this.failure !== undefined) return;
    this.cut(new ConnectionError(`the database sent what is not its protocol: ${cause.message}`, { cause }));
    this.#config.onSuspect?.({ silentSince: this.heardAt });
  }

  /** A name that is new to a connection with many is left out, as are those of a session that does not keep them. */
  #prepare(statement: Statement, name: string): Prepared | undefined {
    let used = this.#prepared.get(name);
    if (used === undefined) {
      const isFull = this.#prepared.has(name) || this.#prepared.size >= MAX_PREPARED;
      if (isFull || this.#config.preparedStatements === false || this.#found.keepsNames !== true) return undefined;
      this.#prepared.set(name, (used = { isParsed: false, error: undefined }));
    }
    const { config } = used;
    const isSame = config?.text === statement.text && config.types === statement.types && config.rowMode === statement.rowMode;
    if (!isSame || config.queryMode !== statement.queryMode || config.query_timeout !== statement.query_timeout)
      used.config = configOf(statement, name) as StatementConfig;
    return used;
  }

  /**
   * Those of a new name that are sent at once are parsed with the first of them. Where that has failed, the rest, of the same text, fail by its error,
   * and not because the server does not know their name.
   *
   * @param isBehindBegin the first answer to it is that to BEGIN, by which `pg` takes it for parsed: it has no name from then on.
   */
  #onFirstAnswer(name: string, used: Prepared, error: ServerError | null, isBehindBegin: boolean): ServerError | null {
    if (error === null) {
      used.isParsed = true;
      return null;
    }
    if (used.error !== undefined && isUnknownName(error)) return used.error;
    used.error ??= error;
    // What is sent from now on is not behind it.
    this.#prepared.set(name, isBehindBegin ? undefined : { isParsed: false, error: undefined });
    return error;
  }

  /** Before the caller knows. */
  #onError(error: ServerError): void {
    const { code = '' } = error;
    // PostgreSQL's own errors have a code: this one is of the parser, which cannot go on. The statement gets it unchanged.
    if (error instanceof pg.DatabaseError && code === '') return this.#cutUnreadable(Object.assign(error, { code: '08P01' }));
    const isStale = isStaleStatement(error);
    if (isUnknownName(error)) distrustNames(this.address);
    if (isStale || (SPOILS_SESSION.test(code) && !(this.isInTransaction && code === FAILED_TRANSACTION))) this.failure ??= error;
    // After a change of the schema every connection has statements that are stale.
    if (isStale || SPOILS_POOL.test(code)) this.#config.onSuspect?.({ openedBefore: performance.now() });
  }

  /** The parser of `pg` throws in the listener of the socket, where it would not be caught: the process would end. */
  #guard(stream: Duplex): void {
    if (this.#guarded === stream) return;
    this.#guarded = stream;
    const emit = stream.emit.bind(stream) as (event: string | symbol, ...args: unknown[]) => boolean;
    stream.emit = (event: string | symbol, ...args: unknown[]) => {
      try {
        return emit(event, ...args);
      } catch (error) {
        this.#cutUnreadable(error as Error);
        return true;
      }
    };
  }
}
