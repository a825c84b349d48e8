/** Statements whose columns differ from call to call: each shape is built once. */
import type { Database } from '../connection/connect.ts';
import type { WriteQuery } from './prepared-statement.ts';

/** A table has few; expressions with values in them could make many. */
const MAX_SHAPES = 200;

type Values = Readonly<Record<string, unknown>>;
type Run<Row> = (db: Database, ...values: unknown[]) => Promise<readonly Row[]>;
type Prepare<Row> = (build: (db: Database, ...parameters: unknown[]) => WriteQuery<Row[]>) => Run<Row>;

const isExpression = (value: unknown): boolean => typeof value === 'object' && value !== null && 'toSQL' in value;

/**
 * @param prepare as `prepareWrite` of a store. @param build makes the statement of values for columns, and of further parameters. What
 *   is an expression of Knex, such as DEFAULT, is a part of the shape.
 */
export function prepareShapes<Row>(
  prepare: Prepare<Row>,
  build: (db: Database, values: Values, ...parameters: unknown[]) => WriteQuery<Row[]>,
): (db: Database, values: object, ...parameters: unknown[]) => Promise<readonly Row[]> {
  const shapes = new Map<string, Run<Row>>();
  return (db, values, ...parameters) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const bound = given.filter(([, value]) => !isExpression(value));
    const shape = given.map(([column, value]) => (isExpression(value) ? `${column}=${String(value)}` : column)).join();
    let run = shapes.get(shape);
    if (run === undefined) {
      const columns = bound.map(([column]) => column);
      const expressions = Object.fromEntries(given.filter(([, value]) => isExpression(value)));
      run = prepare((database, ...all) => {
        const stands = Object.fromEntries(columns.map((column, n) => [column, all[n]]));
        return build(database, { ...stands, ...expressions }, ...all.slice(columns.length));
      });
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      shapes.set(shape, run);
    }
    return run(db, ...bound.map(([, value]) => value), ...parameters);
  };
}
