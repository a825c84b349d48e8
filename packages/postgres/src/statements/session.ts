/** What Knex has as a connection (`connectionPool`): it takes one from the pool with the first statement that needs one for itself. */
import { inBackground } from '@specwright/server';
import { type Done, NOTHING, type Result, type Statement } from '../connection/statement.ts';
import type { PooledClient } from '../connection/open-pool.ts';
import { FAILED_TRANSACTION } from '../store/sqlstate.ts';
import { statementName } from './statement-name.ts';

/** What a session needs of its pool. */
interface SessionPool {
  acquire(): Promise<PooledClient>;
  canShare(statement: Statement): boolean;
  share(statement: Statement, done: Done): void;
  beginOn(client: PooledClient, begin: string): readonly string[];
}

interface Failure extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly routine?: string;
}

/** A cursor or another query of `pg` that sends itself (`pg.Submittable`). */
interface Submittable {
  submit(connection: unknown): void;
  once?(event: string, listener: () => void): unknown;
  destroy?(error: Error): unknown;
}

const isSubmittable = (statement: object | string): statement is Submittable => typeof statement === 'object' && 'submit' in statement;

/** What Knex begins and ends transactions with. */
const BEGIN = /^BEGIN( TRANSACTION [\w ]+)?;$/;
const SAVEPOINT = /^(RELEASE )?SAVEPOINT /;
const ROLLBACK_TO = 'ROLLBACK TO';

const answer = (done: Done): void => process.nextTick(done, null, NOTHING);

/** Code that has caught the error of a statement has COMMIT sent, which PostgreSQL answers with ROLLBACK. */
function notCommitted(): Error {
  const problem = 'nothing was committed: a statement of the transaction had failed, and its error was caught inside of it';
  return Object.assign(new Error(problem), { code: FAILED_TRANSACTION });
}

export class Session {
  readonly #pool: SessionPool;
  #client: PooledClient | undefined = undefined;
  #connecting: Promise<PooledClient> | undefined = undefined;
  /** BEGIN, which goes with the next statement. */
  #begin: string | undefined = undefined;
  /** Whether the transaction is over: a statement of it that comes late must not be run outside of it. */
  #isOver = false;
  /** What has failed the transaction. */
  #cause: Failure | undefined = undefined;
  /** Whether COMMIT goes with the next statement. */
  #isLast = false;
  #commit: Promise<Result> | undefined = undefined;
  #isReleased = false;
  /** Whether a cancellation was sent, which may arrive late. */
  #isCancelled = false;

  constructor(pool: SessionPool) {
    this.#pool = pool;
  }

  /** For Knex, which cancels a statement of this process; of a connection that others share it cancels none. */
  get processID(): unknown {
    this.#isCancelled = true;
    return this.#client?.backend;
  }

  /** Has COMMIT sent in one write with the next statement. */
  commitWithNext(): void {
    this.#isLast = true;
  }

  /** As `query` of `pg`: a text, or an object that has it, and a callback; or what submits itself. */
  query(statement: string | Statement | Submittable, done: Done = () => undefined): unknown {
    if (isSubmittable(statement)) return this.#stream(statement);
    const { text, values = [], ...options } = typeof statement === 'string' ? { text: statement } : statement;
    if (BEGIN.test(text)) {
      this.#begin = text.slice(0, -1);
      answer(done);
    } else if (text === 'COMMIT;') this.#endTransaction(done, true);
    else if (text === 'ROLLBACK') this.#endTransaction(done, false);
    else if (SAVEPOINT.test(text) && this.#begin === undefined) {
      // Nobody waits for it: where it fails, what follows fails with it, and gets its error.
      this.#run({ text }, () => undefined);
      answer(done);
    } else {
      const name = options.name ?? (values.length > 0 ? statementName(text) : undefined);
      this.run({ ...options, text, values, name }, text.startsWith(ROLLBACK_TO) ? this.#forgetCause(done) : done);
    }
    return undefined;
  }

  /** What comes after ROLLBACK TO has not failed with what was before it. */
  #forgetCause(done: Done): Done {
    return (error, result) => {
      if (error === null) this.#cause = undefined;
      done(error, result);
    };
  }

  /** Runs a statement: over a connection that others share if it is a read on its own, and else over one of this session. */
  run(statement: Statement, done: Done): void {
    if (this.#connecting === undefined && this.#begin === undefined && !this.#isOver && this.#pool.canShare(statement))
      return this.#pool.share(statement, done);
    this.#run(statement, done);
  }

  #run(statement: Statement, done: Done): void {
    if (this.#isOver || this.#commit !== undefined) {
      const problem = 'a statement was run after the last one of its transaction, with which it is committed';
      process.nextTick(done, new Error(problem), NOTHING);
      return;
    }
    const begin = this.#begin;
    this.#begin = undefined;
    const send = (client: PooledClient): void => {
      client.cork((uncork) => process.nextTick(uncork));
      const isSent = begin === undefined ? this.#send(client, statement, done) : this.#sendAfterBegin(client, begin, statement, done);
      if (isSent && this.#isLast) this.#sendCommit(client);
    };
    if (this.#client !== undefined) return send(this.#client);
    this.#connecting ??= this.#connect();
    this.#connecting.then(send, (error: unknown) => done(error as Error, NOTHING));
  }

  async #connect(): Promise<PooledClient> {
    const client = await this.#pool.acquire();
    this.#client = client;
    if (this.#isReleased) this.#giveBack(client, false);
    return client;
  }

  /** A statement that has succeeded outside of a transaction is committed already: the rest of its transaction must not follow. */
  #sendAfterBegin(client: PooledClient, begin: string, statement: Statement, done: Done): boolean {
    client.isInTransaction = true;
    const check: Done = (error, result) => {
      if (error !== null || client.getTransactionStatus() === 'T') return done(error, result);
      const problem = new Error(`a statement was run outside of its transaction: ${begin} has not begun one`);
      client.cut(problem);
      done(problem, result);
    };
    return this.#send(client, statement, check, this.#pool.beginOn(client, begin));
  }

  /** Whoever waits for several statements gets the error of the one that has failed: those behind it only say that one has. */
  #send(client: PooledClient, statement: Statement, done: Done, begin?: readonly string[]): boolean {
    const known = this.#cause;
    const onAnswer = (error: Failure | null, result: Result): void => {
      if (error !== null && error.code !== FAILED_TRANSACTION) this.#cause ??= error;
      else if (error !== null && known === undefined && this.#cause !== undefined) {
        const { code, constraint, message, routine } = this.#cause;
        Object.assign(error, { code, constraint, message, routine });
      }
      done(error, result);
    };
    return client.send(statement, onAnswer, begin);
  }

  #sendCommit(client: PooledClient): void {
    this.#commit = new Promise((resolve, reject) => {
      client.send({ text: 'COMMIT' }, (error, result) => (error ? reject(error) : resolve(result)));
    });
    this.#commit.catch(() => undefined);
  }

  /** COMMIT may have been sent with the last statements, or be needless. */
  #endTransaction(done: Done, isCommit: boolean): void {
    const onCommit: Done = (error, result) => done(error ?? (result.command === 'ROLLBACK' ? notCommitted() : null), result);
    // A session that cannot be rolled back has ended, or must: the transaction has failed for a better reason.
    const onRollback = (error: Error | null, client?: PooledClient) => {
      if (error !== null) client?.cut(error);
      done(null, NOTHING);
    };
    const end = (client: PooledClient): void => {
      this.#isOver = true;
      if (this.#commit !== undefined)
        void this.#commit.then(
          (result) => (isCommit ? onCommit : onRollback)(null, result as never),
          (error: unknown) => (isCommit ? done(error as Error, NOTHING) : onRollback(null)),
        );
      else client.send({ text: isCommit ? 'COMMIT' : 'ROLLBACK' }, isCommit ? onCommit : (error) => onRollback(error, client));
    };
    this.#begin = undefined;
    if (this.#client !== undefined) return end(this.#client);
    if (this.#connecting !== undefined) this.#connecting.then(end, (error: unknown) => done(isCommit ? (error as Error) : null, NOTHING));
    else {
      this.#isOver = true;
      answer(done);
    }
  }

  /** What submits itself keeps a portal open, which pipeline mode does not allow (node-postgres.com/features/pipelining, Switching modes). */
  #stream(stream: Submittable): unknown {
    const begin = this.#begin;
    this.#begin = undefined;
    this.#connecting ??= this.#connect();
    inBackground(
      this.#connecting.then(
        (client) => client.submitAlone(stream, begin === undefined ? [] : this.#pool.beginOn(client, begin)),
        (error: unknown) => void stream.destroy?.(error as Error),
      ),
    );
    return stream;
  }

  /** For Knex, when the statement or the transaction has ended. @param destroy whether the connection must not be used again. */
  release(destroy = false): void {
    this.#isReleased = true;
    if (this.#client !== undefined) this.#giveBack(this.#client, destroy);
  }

  #giveBack(client: PooledClient, destroy: boolean): void {
    this.#client = undefined;
    client.isInTransaction = false;
    // Such as one that was timed out by Knex, or left in a transaction: it is not the next one's.
    const isClean = client.pending === 0 && client.failure === undefined && !destroy && !this.#isCancelled;
    if (!isClean && client.failure === undefined) client.cut(new Error('a connection was given back before its statement had ended'));
    client.release(!isClean);
  }
}
