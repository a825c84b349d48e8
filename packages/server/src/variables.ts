/** Variables of the environment, as schemas of zod: how the text of each is read, and what is wrong with it. */
import { availableParallelism } from 'node:os';
import * as z from './libraries/zod.ts';
import { originProblems } from './pipeline/cors/origins.ts';

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
export const text = (isValid: (text: string) => boolean = () => true, problem = ''): Variable<string> =>
  anyText().check(z.refine(isValid, problem));

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

/** How many processes: a whole number up to 256, or `auto` for one per CPU that this process may use. */
export const processes = (): Variable<number> =>
  parsed(
    text(
      (given) => given === 'auto' || (/^[1-9]\d{0,2}$/.test(given) && Number(given) <= 256),
      'must be auto or a whole number from 1 to 256',
    ),
    (given) => (given === 'auto' ? availableParallelism() : Number(given)),
  );

/** Origins, comma-separated: those of `cors`. */
export const originList = (): Variable<readonly string[]> =>
  z
    .pipe(
      anyText(),
      z.transform((given: string) => given.split(',').map((origin) => origin.trim())),
    )
    .check(
      z.superRefine((origins, context) => {
        const problems = originProblems(origins).map(({ origin, message }) => `${JSON.stringify(origin)} ${message}`);
        if (problems.length > 0) context.addIssue(`must be origins, comma-separated (${problems.join('; ')})`);
      }),
    );

/** A header of a proxy and how many proxies there are: `X-Forwarded-For` or `X-Forwarded-For:2`. */
export const trustedProxy = (): Variable<{ readonly header: string; readonly hops: number }> =>
  parsed(
    text((given) => /^[A-Za-z0-9-]+(:[1-9]\d?)?$/.test(given), 'must be a header and a number of proxies, such as X-Forwarded-For:1'),
    (given) => {
      const [header = '', hops = '1'] = given.split(':');
      return { header: header.toLowerCase(), hops: Number(hops) };
    },
  );
