/** Converts the values of a statement before any part of it is sent: what cannot be sent fails alone, with nothing under way. */
// @ts-expect-error `pg` has no types for it.
import utils from 'pg/lib/utils.js';

const { prepareValue } = utils as { prepareValue: (value: unknown) => unknown };

/** Whether the conversion calls code of the value, such as `toPostgres` or `toJSON`, which may throw. Texts, numbers and bytes have none. */
const callsCode = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) || typeof value === 'function';

/**
 * `pg` converts values between the messages of a statement. Where one throws there, it answers the statement twice: with the error, and
 * with the result of what was sent (`Query.prepare`). Values that are converted already are sent unchanged.
 *
 * @returns `values` itself if nothing has to be converted. @throws what the conversion of a value throws, such as a circular object's.
 */
const convertValues = (values: readonly unknown[]): readonly unknown[] =>
  values.some(callsCode) ? values.map((value) => (callsCode(value) ? prepareValue(value) : value)) : values;

/** @param args those of `pg`'s `query`: a text and its values, or an object that has them. @returns them with converted values. @throws as `convertValues`. */
export function convertArguments(args: readonly unknown[]): readonly unknown[] {
  const [statement, second, ...rest] = args;
  if (Array.isArray(second)) return [statement, convertValues(second), ...rest];
  if (typeof statement !== 'object' || statement === null) return args;
  const { values } = statement as { values?: unknown };
  if (!Array.isArray(values)) return args;
  const converted = convertValues(values);
  if (converted === values) return args;
  // What submits itself is an object with methods, for this statement alone.
  const given = 'submit' in statement ? Object.assign(statement, { values: converted }) : { ...statement, values: converted };
  return [given, ...args.slice(1)];
}
