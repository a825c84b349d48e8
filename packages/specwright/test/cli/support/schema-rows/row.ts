/** A row of the table of schemas, and what its rows are written with. */

export interface SchemaRow extends More {
  readonly name: string;
  readonly schema: unknown;
  /** Accepted by the validator and by the compiler. */
  readonly valid: readonly unknown[];
  /** Refused by both. */
  readonly invalid: readonly unknown[];
}

/** As a row is written. */
export type Row = readonly [name: string, schema: unknown, valid: readonly unknown[], invalid: readonly unknown[], more?: More];

interface More {
  /** Refused by the validator only, and why a type cannot say it. */
  readonly wider?: readonly [reason: string, ...values: unknown[]];
  /** Accepted by the validator, and refused by the compiler in a literal only, because they have properties that nothing declares. */
  readonly undeclared?: readonly unknown[];
  readonly direction?: 'request' | 'response';
}

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
export const string = { type: 'string' };
export const number = { type: 'number' };

export const CONDITION = 'TypeScript has no conditions on the value of a type';
export const UNION = 'a value of several branches is a value of a union';
export const INDEX = 'an index signature has one type for all names';
