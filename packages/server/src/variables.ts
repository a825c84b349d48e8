/** Variables of the environment: how the text of each is read, and what is wrong with it. */
import { availableParallelism } from 'node:os';
import { originProblems } from './pipeline/cors/origins.ts';

/** A text that a variable cannot have. The message follows its name. */
class InvalidText extends Error {}

/** A variable that must be set, unless it is `optional` or has a `default`. */
export class Variable<T> {
  readonly #parse: (text: string) => T;
  readonly #absent: () => T;

  /** @param parse throws for a text that the variable cannot have. @param absent its value if it is not set. */
  constructor(parse: (text: string) => T, absent: () => T) {
    this.#parse = parse;
    this.#absent = absent;
  }

  optional(): Variable<T | undefined> {
    return new Variable<T | undefined>(this.#parse, () => undefined);
  }

  default(value: T): Variable<T> {
    return new Variable<T>(this.#parse, () => value);
  }

  /** @returns its value, or what is wrong with it: `must be on or off`. */
  read(text: string | undefined): { readonly value: T } | { readonly problem: string } {
    try {
      return { value: text === undefined ? this.#absent() : this.#parse(text) };
    } catch (error) {
      if (error instanceof InvalidText) return { problem: error.message };
      throw error;
    }
  }
}

const refuse = (problem: string): never => {
  throw new InvalidText(problem);
};

function variable<T>(parse: (text: string) => T): Variable<T> {
  return new Variable(parse, () => refuse('must be set'));
}

/** A variable with a text. @param problem of a text that `isValid` refuses: `must be a URL`. */
export const text = (isValid: (text: string) => boolean = () => true, problem = ''): Variable<string> =>
  variable((given) => (isValid(given) ? given : refuse(problem)));

export const integer = (low: number, high: number): Variable<number> =>
  variable((given) =>
    /^\d+$/.test(given) && Number(given) >= low && Number(given) <= high
      ? Number(given)
      : refuse(`must be a whole number from ${low} to ${high}`),
  );

/** A variable with a secret of so many characters at least. Its name ends with `_SECRET`, so that no message has its value. */
export const secretText = (low: number): Variable<string> => text((given) => given.length >= low, `must have ${low} characters or more`);

export const oneOf = <const Word extends string>(...words: readonly Word[]): Variable<Word> =>
  variable((given) => words.find((word) => word === given) ?? refuse(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`));

const toggle = (on: string, off: string): Variable<boolean> =>
  variable((given) => (given === on || given === off ? given === on : refuse(`must be ${on} or ${off}`)));

export const onOff = (): Variable<boolean> => toggle('on', 'off');

export const trueFalse = (): Variable<boolean> => toggle('true', 'false');

/** How many processes: a whole number up to 256, or `auto` for one per CPU that this process may use. */
export const processes = (): Variable<number> =>
  variable((given) => {
    if (given === 'auto') return availableParallelism();
    return /^[1-9]\d{0,2}$/.test(given) && Number(given) <= 256 ? Number(given) : refuse('must be auto or a whole number from 1 to 256');
  });

/** Origins, comma-separated: those of `cors`. */
export const originList = (): Variable<readonly string[]> =>
  variable((given) => {
    const origins = given.split(',').map((origin) => origin.trim());
    const problems = originProblems(origins).map(({ origin, message }) => `${JSON.stringify(origin)} ${message}`);
    return problems.length === 0 ? origins : refuse(`must be origins, comma-separated (${problems.join('; ')})`);
  });

/** A header of a proxy and how many proxies there are: `X-Forwarded-For` or `X-Forwarded-For:2`. */
export const trustedProxy = (): Variable<{ readonly header: string; readonly hops: number }> =>
  variable((given) => {
    if (!/^[A-Za-z0-9-]+(:[1-9]\d?)?$/.test(given)) refuse('must be a header and a number of proxies, such as X-Forwarded-For:1');
    const [header = '', hops = '1'] = given.split(':');
    return { header: header.toLowerCase(), hops: Number(hops) };
  });

/** @returns a text that `parse` makes a value of. */
export const parsed = <T>(source: Variable<string>, parse: (text: string) => T): Variable<T> =>
  variable((given) => {
    const read = source.read(given);
    return 'value' in read ? parse(read.value) : refuse(read.problem);
  });
