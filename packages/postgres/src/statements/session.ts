/** What Knex has as a connection (`connectionPool`): it takes one from the pool with the first statement that needs one for itself. */
import { inBackground } from '@specwright/contract/runtime';
import { type Done, NOTHING, type Result, type Statement, type Submittable } from '../connection/statement.ts';
import type { PooledClient } from '../connection/open-pool.ts';
import { FAILED_TRANSACTION } from '../store/sqlstate.ts';
import { classifyStatement } from './classify-statement.ts';

/** What a session needs of its pool. */
interface SessionPool {
  readonly shared: { run(statement: Statement, done: Done): void };
  acquire(): Promise<PooledClient>;
}

interface Failure extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly routine?: string;
}

/** What Knex begins and ends transactions with. */
const BEGIN = /^BEGIN( TRANSACTION [\w ]+)?;$/;
const SAVEPOINT = /^(RELEASE )?SAVEPOINT /;
const ROLLBACK_TO = 'ROLLBACK TO';

/** Code that has caught the error of a statement has COMMIT sent, which PostgreSQL answers with ROLLBACK. */
function notCommitted(): Error {
  const problem = 'nothing was committed: a statement of the transaction had failed, and its error was caught inside of it';
  return Object.assign(new Error(problem), { code: FAILED_TRANSACTION });
}

const failedTransaction = (): Failure =>
  Object.assign(new Error('the first statement of the transaction has failed: nothing more is run in it'), { code: FAILED_TRANSACTION });

const ignore = (): void => undefined;

interface SendOptions {
  /** What begins the transaction of which it is the first statement. */
  readonly begin: string | undefined;
  readonly isLast: boolean;
  readonly isTold: boolean;
}

export class Session {
  readonly #pool: SessionPool;
  #client: PooledClient | undefined = undefined;
  #connecting: Promise<PooledClient> | undefined = undefined;
  /** BEGIN, which goes with the next statement. */
  #begin: string | undefined = undefined;
  /** Whether the transaction is over: a statement of it that comes late must not be run outside of it. */
  #isOver = false;
  /** What waits until the statement that BEGIN goes with is answered; undefined if none is under way. */
  #held: (() => void)[] | undefined = undefined;
  /** Whether that statement has failed: BEGIN may have failed with it, and what is run then would be outside of a transaction. */
  #hasNotBegun = false;
  /** What has failed the transaction. */
  #cause: Failure | undefined = undefined;
  /** Whether somebody has got that error. */
  #isCauseTold = false;
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

  /**
   * As `query` of `pg`: a text, or an object that has it, and a callback; or what submits itself. A read on its own goes over a connection that
   * others share, anything else over one of this session.
   */
  query(given: string | Statement | Submittable, done: Done = ignore): unknown {
    if (typeof (given as Submittable).submit === 'function') return this.#stream(given as Submittable);
    const statement = typeof given === 'string' ? { text: given } : (given as Statement);
    const { text, values } = statement;
    if (statement.name === undefined && (values === undefined || values.length === 0)) this.#runText(statement, done);
    else {
      const known = classifyStatement(text);
      const named = known === null || statement.name !== undefined ? statement : { ...statement, name: known.name };
      const isAlone = this.#connecting === undefined && this.#begin === undefined && !this.#isOver;
      if (known?.isRead === true && isAlone) this.#pool.shared.run(named, done);
      else this.run(named, done);
    }
    return undefined;
  }

  /** What begins and ends transactions has no values. */
  #runText(statement: Statement, done: Done): void {
    const { text } = statement;
    if (BEGIN.test(text)) {
      this.#begin = text.slice(0, -1);
      process.nextTick(done, null, NOTHING);
    } else if (text === 'COMMIT;') this.#endTransaction(done, true);
    else if (text === 'ROLLBACK') this.#endTransaction(done, false);
    else if (SAVEPOINT.test(text) && this.#begin === undefined) {
      // Nobody waits for it: where it fails, what follows fails with it, and gets its error.
      this.run({ text }, ignore);
      process.nextTick(done, null, NOTHING);
    } else this.run(statement, text.startsWith(ROLLBACK_TO) ? this.#forgetCause(done) : done);
  }

  /** What comes after ROLLBACK TO has not failed with what was before it. */
  #forgetCause(done: Done): Done {
    return (error, result) => {
      if (error === null) {
        this.#cause = undefined;
        this.#isCauseTold = false;
      }
      done(error, result);
    };
  }

  /**
   * Runs a statement over the connection of this session.
   *
   * @param isLast whether COMMIT goes with it. @param isTold whether who runs it may know that the transaction has failed.
   */
  run(statement: Statement, done: Done, isLast = this.#isLast, isTold = this.#isCauseTold): void {
    // A BEGIN that is cancelled stops the statement that is sent with it, and not what is sent behind the two.
    if (this.#held !== undefined) return void this.#held.push(() => this.run(statement, done, isLast, isTold));
    if (this.#isOver || this.#commit !== undefined) {
      const problem = 'a statement was run after the last one of its transaction, with which it is committed';
      process.nextTick(done, new Error(problem), NOTHING);
      return;
    }
    if (this.#hasNotBegun) {
      process.nextTick(done, this.#explain(failedTransaction(), isTold), NOTHING);
      return;
    }
    const begin = this.#begin;
    this.#begin = undefined;
    if (begin !== undefined) this.#held = [];
    if (this.#client !== undefined) return this.#send(this.#client, statement, done, { begin, isLast, isTold });
    this.#connecting ??= this.#connect();
    this.#connecting.then(
      (client) => this.#send(client, statement, done, { begin, isLast, isTold }),
      (error: unknown) => {
        done(error as Error, NOTHING);
        if (begin !== undefined) this.#runHeld();
      },
    );
  }

  #runHeld(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const run of held) run();
  }

  async #connect(): Promise<PooledClient> {
    const client = await this.#pool.acquire();
    this.#client = client;
    if (this.#isReleased) {
      this.#giveBack(client, false);
      throw new Error('the session was given back before it had a connection');
    }
    return client;
  }

  #send(client: PooledClient, statement: Statement, done: Done, { begin, isLast, isTold }: SendOptions): void {
    if (!client.isCorked) {
      client.cork();
      process.nextTick(client.uncork);
    }
    if (begin !== undefined) client.isInTransaction = true;
    const onAnswer = (problem: Failure | null, result: Result): void => {
      let error = problem;
      if (error !== null) {
        if (isSent && error.code !== FAILED_TRANSACTION && this.#cause === undefined) {
          this.#cause = error;
          this.#isCauseTold = done !== ignore;
        }
        error = this.#explain(error, isTold);
      }
      if (begin === undefined) return done(error, result);
      // What was not sent has begun nothing: the next one does.
      if (isSent) error = this.#checkBegun(client, begin, error);
      else this.#begin = begin;
      done(error, result);
      this.#runHeld();
    };
    const isSent = client.send(statement, onAnswer, begin);
    if (isSent && isLast) this.#sendCommit(client);
  }

  /** A statement that has succeeded outside of a transaction is committed already: the rest of its transaction must not follow. */
  #checkBegun(client: PooledClient, begin: string, error: Failure | null): Failure | null {
    if (error !== null) this.#hasNotBegun = true;
    if (error !== null || client.getTransactionStatus() === 'T') return error;
    const problem = new Error(`a statement was run outside of its transaction: ${begin} has not begun one`);
    client.cut(problem);
    return problem;
  }

  /** Whoever waits for several statements gets the error of the one that has failed: those behind it only say that one has. */
  #explain(error: Failure, isTold: boolean): Failure {
    if (error.code !== FAILED_TRANSACTION || isTold || this.#cause === undefined) return error;
    this.#isCauseTold = true;
    const { code, constraint, message, routine } = this.#cause;
    return Object.assign(error, { code, constraint, message, routine });
  }

  #sendCommit(client: PooledClient): void {
    this.#commit = new Promise((resolve, reject) => {
      client.send({ text: 'COMMIT' }, (error, result) => (error ? reject(error) : resolve(result)));
    });
    this.#commit.catch(() => undefined);
  }

  /** COMMIT may have been sent with the last statements, or be needless. */
  #endTransaction(done: Done, isCommit: boolean): void {
    if (this.#held !== undefined) return void this.#held.push(() => this.#endTransaction(done, isCommit));
    const finish = (problem: Error | null, result: Result = NOTHING): void => done(isCommit ? problem : null, result);
    const end = (client: PooledClient): void => {
      this.#isOver = true;
      // A session that cannot be rolled back has ended, or must: the transaction has failed for a better reason.
      const rollBack = (problem: Error | null): void =>
        void client.send({ text: 'ROLLBACK' }, (error) => {
          if (error !== null) client.cut(error);
          finish(problem);
        });
      const onCommit: Done = (error, result) => {
        // One that is cancelled before it has done anything leaves the session in the transaction, which has failed.
        if (error !== null) rollBack(error);
        else finish(this.#hasNotBegun || result.command === 'ROLLBACK' ? notCommitted() : null, result);
      };
      if (this.#commit !== undefined)
        void this.#commit.then(
          (result) => onCommit(null, result),
          (error: unknown) => onCommit(error as Error, NOTHING),
        );
      else if (!isCommit || this.#hasNotBegun) rollBack(isCommit ? notCommitted() : null);
      else client.send({ text: 'COMMIT' }, onCommit);
    };
    this.#begin = undefined;
    if (this.#client !== undefined) return end(this.#client);
    if (this.#connecting !== undefined) this.#connecting.then(end, (error: unknown) => done(isCommit ? (error as Error) : null, NOTHING));
    else {
      this.#isOver = true;
      process.nextTick(done, null, NOTHING);
    }
  }

  /** What submits itself keeps a portal open, which pipeline mode does not allow (node-postgres.com/features/pipelining, Switching modes). */
  #stream(stream: Submittable): unknown {
    if (this.#held !== undefined) {
      this.#held.push(() => void this.#stream(stream));
      return stream;
    }
    if (this.#hasNotBegun) {
      stream.destroy?.(failedTransaction());
      return stream;
    }
    const begin = this.#begin;
    this.#begin = undefined;
    this.#connecting ??= this.#connect();
    inBackground(
      this.#connecting.then(
        (client) => client.submitAlone(stream, begin),
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
    const isIdle = client.pending === 0 && client.getTransactionStatus() === 'I';
    const isClean = isIdle && client.failure === undefined && !destroy && !this.#isCancelled;
    if (!isClean && client.failure === undefined) client.cut(new Error('a connection was given back before its statement had ended'));
    client.release(!isClean);
  }
}
