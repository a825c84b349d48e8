/** Statements that Knex builds once, with parameters in the place of values, and that are sent past it from then on. */
import type { Knex } from 'knex';
import type { Done, Statement } from '../connection/statement.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import { classifyStatement } from './classify-statement.ts';
import { poolOf } from './database-pool.ts';
import { Session } from './session.ts';

/** What `select` and `returning` of Knex make. */
interface Query<Row> extends PromiseLike<Row[]> {
  toSQL(): { toNative(): Knex.SqlNative };
}

class Parameter {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

type Build<Row> = (db: Database, ...parameters: unknown[]) => Query<Row>;
type Run<Row> = (db: Database, ...values: unknown[]) => Promise<readonly Row[]>;

/** A statement whose values come with each run of it. */
interface Bound {
  readonly name: string | undefined;
  readonly text: string;
  readonly isRead: boolean;
  /** Each value of the statement: a parameter, or a constant. */
  readonly slots: readonly unknown[];
}

/**
 * Builds the statement with the first values, for all.
 *
 * @param build has each parameter as a value in the query.
 * @returns what runs it with values. It throws Error if a parameter is no value of the query; the error of `pg`, or of the pool.
 */
export function buildOnce<Row>(build: Build<Row>): Run<Row> {
  let bound: Bound | undefined;
  return async (db, ...given) => {
    // Listeners to a database's queries are called by Knex: no query bypasses it.
    if (db.listenerCount('query') + db.listenerCount('query-response') + db.listenerCount('query-error') > 0) return build(db, ...given);
    bound ??= bindTo((...parameters) => build(db, ...parameters), given.length);
    const { name, text, isRead, slots } = bound;
    const values: unknown[] = [];
    for (const slot of slots) values.push(slot instanceof Parameter ? given[slot.index] : slot);
    const statement = { name, text, values };
    const pool = db.isTransaction === true ? undefined : poolOf(db);
    if (isRead && pool !== undefined) return rowsOf(pool.shared, statement);
    const session = pool === undefined ? await sessionOf(db) : new Session(pool);
    try {
      return await rowsOf(session, statement);
    } finally {
      if (pool !== undefined) session.release();
    }
  };
}

function bindTo(build: (...parameters: readonly unknown[]) => Pick<Query<unknown>, 'toSQL'>, count: number): Bound {
  const parameters = Array.from({ length: count }, (_, index) => new Parameter(index));
  const { sql: text, bindings: slots } = build(...parameters)
    .toSQL()
    .toNative();
  const unbound = parameters.find((parameter) => !slots.includes(parameter as never));
  if (unbound !== undefined)
    throw new Error(`the statement ${text} does not bind its parameter ${unbound.index + 1}: its query must have each as a value`);
  const { name, isRead = false } = classifyStatement(text) ?? {};
  return { name, text, isRead, slots };
}

/** The session of a transaction. */
const sessionOf = (trx: Database): Promise<Session> => (trx.client as { acquireConnection(): Promise<Session> }).acquireConnection();

const rowsOf = <Row>(runner: { run(statement: Statement, done: Done): void }, statement: Statement): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    runner.run(statement, (error, { rows }) => (error === null ? resolve(rows as readonly Row[]) : reject(error)));
  });

/** Has COMMIT sent with the next statement of a transaction, which is its last. In a savepoint it is that of the outer transaction. */
export async function commitWithNext(trx: Transaction): Promise<void> {
  if (trx.parentTransaction === undefined) (await sessionOf(trx)).commitWithNext();
}

/** A table has few; expressions with values in them could make many. */
const MAX_SHAPES = 200;

type Values = Readonly<Record<string, unknown>>;

const isExpression = (value: unknown): boolean => typeof value === 'object' && value !== null && 'toSQL' in value;

/**
 * As `buildOnce`, for each shape of the values.
 *
 * @param build makes the statement of values for columns, and of further parameters. What is an expression of Knex, such as DEFAULT, is a
 *   part of the shape.
 */
export function buildShapes<Row>(
  build: (db: Database, values: Values, ...parameters: unknown[]) => Query<Row>,
): (db: Database, values: object, ...parameters: unknown[]) => Promise<readonly Row[]> {
  const shapes = new Map<string, Run<Row>>();
  return (db, values, ...parameters) => {
    const given = Object.entries(values as Values).filter(([, value]) => value !== undefined);
    const bound = given.filter(([, value]) => !isExpression(value));
    const shape = given.map(([column, value]) => (isExpression(value) ? `${column}=${String(value)}` : column)).join();
    let run = shapes.get(shape);
    if (run === undefined) {
      const columns = bound.map(([column]) => column);
      const expressions = Object.fromEntries(given.filter(([, value]) => isExpression(value)));
      run = buildOnce((database, ...all) => {
        const stands: Values = Object.fromEntries(columns.map((column, n) => [column, all[n]]));
        return build(database, { ...stands, ...expressions }, ...all.slice(columns.length));
      });
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      shapes.set(shape, run);
    }
    return run(db, ...bound.map(([, value]) => value), ...parameters);
  };
}
