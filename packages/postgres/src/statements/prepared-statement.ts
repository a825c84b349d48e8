/** A statement that Knex builds once, with parameters in the place of values. */
import type { Knex } from 'knex';
import type { PreparedQuery } from '../connection/bounded-client.ts';
import { statementName } from './statement-name.ts';

/** What `first` of Knex makes. */
export interface ReadQuery<Row> extends PromiseLike<Row> {
  toSQL(): { toNative(): Knex.SqlNative };
  options(options: { name: string }): unknown;
}

/** What `select` and `returning` of Knex make, or `raw`. */
export interface WriteQuery<Result> extends PromiseLike<Result> {
  toSQL(): { toNative(): Knex.SqlNative };
}

/** The rows of such a query; none if it returns how many there were. */
export type RowsOf<Result> = Result extends readonly (infer Row)[]
  ? Row[]
  : Result extends { rows: readonly (infer Row)[] }
    ? Row[]
    : never[];

/** Stands for a value while the query is built. */
class Parameter {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/** Binds values to a statement. */
export type Bind = (values: readonly unknown[]) => PreparedQuery;

/**
 * Builds the statement.
 *
 * @param name under which connections prepare it; the digest of its text if it is not given.
 * @param build is given a stand-in for each value. @param count how many.
 * @throws Error if a value is not bound, as one is that only decides what the query looks like.
 */
export function prepareStatement(
  name: string | undefined,
  build: (...parameters: readonly unknown[]) => Pick<ReadQuery<unknown>, 'toSQL'>,
  count: number,
): Bind {
  const parameters = Array.from({ length: count }, (_, index) => new Parameter(index));
  const { sql: text, bindings } = build(...parameters)
    .toSQL()
    .toNative();
  const slots = bindings.map((binding: unknown) =>
    binding instanceof Parameter ? { index: binding.index, binding: undefined } : { index: undefined, binding },
  );
  const unbound = parameters.find(({ index }) => !slots.some((slot) => slot.index === index));
  if (unbound !== undefined)
    throw new Error(
      `the prepared statement ${name ?? text} does not bind its parameter ${unbound.index + 1}: its query must have each as a value`,
    );
  const given = name ?? statementName(text) ?? text.slice(0, 63);
  return (values) => ({ name: given, text, values: slots.map((slot) => (slot.index === undefined ? slot.binding : values[slot.index])) });
}
