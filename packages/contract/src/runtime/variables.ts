/** The public API of `@specwright/contract/variables`: variables of the environment, as schemas of zod: how their texts are read, and what is wrong. */
import * as z from '../libraries/zod.ts';

/**
 * A variable: a schema of zod for its text, `undefined` if it is not set. The message of an issue follows the name of the variable:
 * `must be on or off`. Only this much of zod's types is named, so that zod need not be installed.
 */
export interface Variable<Value> {
  safeParse(
    text: string | undefined,
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly { readonly message: string }[] } };
}

const schemaOf = <Value>(variable: Variable<Value>) => variable as z.ZodMiniType<Value>;

/** @returns a variable that need not be set. */
export const optional = <Value>(variable: Variable<Value>): Variable<Value | undefined> => z.optional(schemaOf(variable));

/** @returns a variable that has `value` if it is not set. */
export const withDefault = <Value>(variable: Variable<Value>, value: Value): Variable<Value> =>
  // The parameter excludes `undefined`, which cannot be decided while `Value` is not known.
  z._default(schemaOf(variable), value as never);

/** @returns a variable whose valid texts `parse` makes values of. */
export function parsed<Text, Value>(variable: Variable<Text>, parse: (text: Text) => Value): Variable<Value> {
  const schema: Variable<unknown> = z.pipe(schemaOf(variable), z.transform(parse));
  return schema as Variable<Value>;
}

const anyText = () => z.string('must be set');

/** A variable with a text. @param problem of a text that `isValid` refuses: `must be a URL`. */
export const text = (
  isValid: (text: string) => boolean = () => true,
  problem: string | ((text: string) => string) = '',
): Variable<string> =>
  anyText().check(z.refine(isValid, typeof problem === 'string' ? problem : { error: ({ input }) => problem(input as string) }));

export const integer = (low: number, high: number): Variable<number> =>
  parsed(
    text((given) => /^\d+$/.test(given) && Number(given) >= low && Number(given) <= high, `must be a whole number from ${low} to ${high}`),
    Number,
  );

/** A variable with a secret of so many characters at least. Its name ends with `_SECRET`, so that no message has its value. */
export const secretText = (low: number): Variable<string> => anyText().check(z.minLength(low, `must have ${low} characters or more`));

export const oneOf = <const Word extends string>(...words: readonly Word[]): Variable<Word> =>
  z.pipe(anyText(), z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`));

export const onOff = (): Variable<boolean> => parsed(oneOf('on', 'off'), (word) => word === 'on');

export const trueFalse = (): Variable<boolean> => parsed(oneOf('true', 'false'), (word) => word === 'true');
