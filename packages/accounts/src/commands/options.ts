/** Reads the values of command-line options, and the error for those that cannot be used. */
import type { Quota } from '@specwright/server';
import { PLANS, type Plan } from '../accounts.ts';

const MAX_LIMIT = 1_000_000_000;

/** The options of a command, as `parseArgs` returns them. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** Thrown for wrong arguments: the usage is printed. */
export class UsageError extends Error {}

/** The value of an option. @throws UsageError if it is missing or empty. */
export function requiredOption(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`missing option --${name}`);
  return value;
}

/** @param name of the argument, for messages. @throws UsageError unless `text` is a whole number from `low` to `high`. */
export function parseInteger(text: string, name: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high)
    throw new UsageError(`${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return value;
}

/** The options `--plan`, `--per-minute` and `--per-day`. @throws UsageError */
export function planOptions(options: Options, defaultPlan?: Plan): { plan: Plan; quota: Quota | undefined } {
  const name = options['plan'] === undefined && defaultPlan !== undefined ? defaultPlan : requiredOption(options, 'plan');
  const plan = PLANS.find((candidate) => candidate === name.toLowerCase());
  if (plan === undefined) throw new UsageError(`unknown plan ${name}: choose ${PLANS.join(', ')}`);
  const limitOptions = ['per-minute', 'per-day'] as const;
  const given = limitOptions.filter((option) => options[option] !== undefined);
  if (plan !== 'enterprise') {
    if (given.length > 0)
      throw new UsageError(`--${given.join(' and --')} can be used with the plan enterprise only: the limits of ${plan} are fixed`);
    return { plan, quota: undefined };
  }
  const missing = limitOptions.find((option) => !given.includes(option));
  if (missing !== undefined) throw new UsageError(`missing option --${missing}: the plan enterprise has no default limits`);
  const [minute = 0, day = 0] = limitOptions.map((option) => parseInteger(requiredOption(options, option), `--${option}`, 1, MAX_LIMIT));
  return { plan, quota: { minute, day } };
}
