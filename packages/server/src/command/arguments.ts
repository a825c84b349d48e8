/** The arguments of a program: what is wrong with them, and the flags of a service. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean } from '@specwright/contract';

/**
 * What is wrong with arguments that `parseArgs` of `node:util` has refused; an unknown option is named with the one that was meant.
 *
 * @param names of the options, without `--`. @returns undefined if `error` is not one of `parseArgs`.
 */
export function formatParseError(error: unknown, names: readonly string[]): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('ERR_PARSE_ARGS') !== true) return undefined;
  const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']+)'/.exec(message)?.[1] : undefined;
  if (unknown === undefined) return message.split('\n')[0];
  const options = names.map((name) => `--${name}`);
  return `unknown option ${unknown}${didYouMean(unknown, options)}`;
}

/**
 * Which of the flags a service was started with: `readFlags(['migrate']).migrate` for `--migrate`.
 *
 * @throws Error for any other argument, as the first thing that a service does: what was meant by it is not known.
 */
export function readFlags<const Name extends string>(names: readonly Name[], args = process.argv.slice(2)): Record<Name, boolean> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean', default: false } as const]));
  return parseArguments({ args, options }, Error).values as Record<Name, boolean>;
}

/** @throws Refusal for arguments that cannot be used. */
export function parseArguments<T extends ParseArgsConfig>(
  config: T,
  Refusal: new (message: string) => Error,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const problem = formatParseError(error, Object.keys(config.options ?? {}));
    throw problem === undefined ? error : new Refusal(problem);
  }
}

/** `1 problem`, `2 problems` */
export const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
