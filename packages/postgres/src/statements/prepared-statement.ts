/** Statements that Knex builds once, with parameters in the place of values, and their names. */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import type { PreparedQuery } from '../connection/bounded-client.ts';

/** What `first`, `select` and `returning` of Knex make, or `raw`. */
export interface StoreQuery<Result> extends PromiseLike<Result> {
  toSQL(): { toNative(): Knex.SqlNative };
}

/** The rows of such a query; none if it returns how many there were. */
export type RowsOf<Result> = Result extends readonly (infer Row)[]
  ? Row[]
  : Result extends { rows: readonly (infer Row)[] }
    ? Row[]
    : never[];

class Parameter {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

export type Bind = (values: readonly unknown[]) => PreparedQuery;

/**
 * Builds the statement.
 *
 * @param build is given a stand-in for each value. @param count how many.
 * @throws Error if a value is not bound, as one is that only decides what the query looks like.
 */
export function prepareStatement(build: (...parameters: readonly unknown[]) => Pick<StoreQuery<unknown>, 'toSQL'>, count: number): Bind {
  const parameters = Array.from({ length: count }, (_, index) => new Parameter(index));
  const { sql: text, bindings } = build(...parameters)
    .toSQL()
    .toNative();
  const slots = bindings.map((binding: unknown) =>
    binding instanceof Parameter ? { index: binding.index, binding: undefined } : { index: undefined, binding },
  );
  const unbound = parameters.find(({ index }) => !slots.some((slot) => slot.index === index));
  if (unbound !== undefined)
    throw new Error(`the prepared statement ${text} does not bind its parameter ${unbound.index + 1}: its query must have each as a value`);
  const name = statementName(text);
  return (values) => ({ name, text, values: slots.map((slot) => (slot.index === undefined ? slot.binding : values[slot.index])) });
}

/** Services have some hundred statements; texts that are made at run time must not be kept without end. */
const MAX_CACHED = 2000;
const DIGEST_LENGTH = 20;
/** What can be prepared and is worth it: what sets up a session or a schema is run once. */
const PREPARABLE = /^[\s(]*(?:select|insert|update|delete|with)\b/i;

const cache = new Map<string, string | undefined>();

/** @returns the same name for the same text; `undefined` for a statement that is not prepared. */
export function statementName(text: string): string | undefined {
  const cached = cache.get(text);
  if (cached !== undefined || cache.has(text)) return cached;
  const name = PREPARABLE.test(text) ? hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH) : undefined;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, name);
  return name;
}

/** A table has few; expressions with values in them could make many. */
const MAX_SHAPES = 200;

type Values = Readonly<Record<string, unknown>>;
type Run<Row> = (db: Knex, ...values: unknown[]) => Promise<readonly Row[]>;
type Prepare<Row> = (build: (db: Knex, ...parameters: unknown[]) => StoreQuery<Row[]>) => Run<Row>;

const isExpression = (value: unknown): boolean => typeof value === 'object' && value !== null && 'toSQL' in value;

/**
 * @param prepare as `prepareWrite` of a store. @param build makes the statement of values for columns, and of further parameters. What
 *   is an expression of Knex, such as DEFAULT, is a part of the shape.
 */
export function prepareShapes<Row>(
  prepare: Prepare<Row>,
  build: (db: Knex, values: Values, ...parameters: unknown[]) => StoreQuery<Row[]>,
): (db: Knex, values: object, ...parameters: unknown[]) => Promise<readonly Row[]> {
  const shapes = new Map<string, Run<Row>>();
  return (db, values, ...parameters) => {
    const given = Object.entries(values as Values).filter(([, value]) => value !== undefined);
    const bound = given.filter(([, value]) => !isExpression(value));
    const shape = given.map(([column, value]) => (isExpression(value) ? `${column}=${String(value)}` : column)).join();
    let run = shapes.get(shape);
    if (run === undefined) {
      const columns = bound.map(([column]) => column);
      const expressions = Object.fromEntries(given.filter(([, value]) => isExpression(value)));
      run = prepare((database: Knex, ...all: unknown[]) => {
        const stands: Values = Object.fromEntries(columns.map((column, n) => [column, all[n]]));
        return build(database, { ...stands, ...expressions }, ...all.slice(columns.length));
      });
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      shapes.set(shape, run);
    }
    return run(db, ...bound.map(([, value]) => value), ...parameters);
  };
}
