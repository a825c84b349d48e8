/** What the administration commands have in common: commands with options, a database, and what goes to which output. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PLANS, type Plan } from '../accounts.ts';
import type { Quota } from '../key-format.ts';
import { DATABASE_VARIABLES, migrate, openDatabase, schemaProblem, type DatabaseSchema, type OpenDatabase } from '@specwright/postgres';
import { formatFatalError, readEnvironment } from '@specwright/server';

/** Thrown for arguments that cannot be used; the usage follows. */
export class UsageError extends Error {}

/** The options as they were given, without their dashes. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** What was done. */
export interface Outcome {
  /** Alone on standard output. */
  readonly secret?: string;
  /** Standard output with `--json`. */
  readonly json: object;
  /** For people: on standard output, or beside a secret on standard error. */
  readonly text: string;
}

export interface Command {
  /** What stands beside the command and its options, in order, for messages. */
  readonly operands: readonly string[];
  /** Options with a value, and switches. */
  readonly values?: readonly string[];
  readonly switches?: readonly string[];
  /** Reads the arguments. @returns what to do. @throws UsageError, before the database is opened. */
  readonly prepare: (operands: readonly string[], options: Options) => (database: OpenDatabase) => Promise<Outcome>;
}

/** A group of commands: `accounts`, `keys`, `limits`. */
export interface Program {
  readonly usage: string;
  readonly commands: Readonly<Record<string, Command>>;
}

/** The service whose accounts are administered. */
export interface AdministeredService {
  /** The name of its embedded database, and of the connections. */
  readonly name: string;
  readonly schema: DatabaseSchema;
}

/** Runs the command that the arguments name. Exit status 2 for arguments that cannot be used, 1 for anything else. */
export async function runProgram({ usage, commands }: Program, service: AdministeredService, args: readonly string[]): Promise<void> {
  try {
    const { work, isJson } = parse(commands, args);
    const { secret, json, text } = await withDatabase(service, work);
    if (secret !== undefined) console.error(text);
    console.log(isJson ? JSON.stringify(json, null, 2) : (secret ?? text));
  } catch (error) {
    console.error(formatFatalError(error));
    const misused = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    if (misused) console.error(usage);
    process.exitCode = misused ? 2 : 1;
  }
}

function parse(commands: Readonly<Record<string, Command>>, args: readonly string[]) {
  const known = Object.entries(commands);
  const option = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries([
      ['json', { type: 'boolean' }] as const,
      ...known.flatMap(([, { values: names = [] }]) => names.map(option('string'))),
      ...known.flatMap(([, { switches: names = [] }]) => names.map(option('boolean'))),
    ]),
    allowPositionals: true,
  });
  const [name, ...operands] = positionals;
  const command = known.find(([other]) => other === name)?.[1];
  if (command === undefined) throw new UsageError(name === undefined ? 'missing command' : `there is no command ${name}`);
  const missing = command.operands[operands.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const extra = operands.slice(command.operands.length);
  if (extra.length > 0) throw new UsageError(`${extra.join(' ')} is one argument too many`);
  const allowed = ['json', ...(command.values ?? []), ...(command.switches ?? [])];
  const foreign = Object.keys(values).find((option) => !allowed.includes(option));
  if (foreign !== undefined) throw new UsageError(`--${foreign} is no option of ${name ?? ''}`);
  return { work: command.prepare(operands, values), isJson: values['json'] === true };
}

async function withDatabase<T>({ name, schema }: AdministeredService, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const config = readEnvironment(DATABASE_VARIABLES);
  const database = await openDatabase({ ...config, name, dataDir: resolve(config.dataDir) });
  try {
    if (database.embedded) await migrate(database.db, schema);
    const problem = await schemaProblem(database.db, schema);
    if (problem !== undefined) throw new Error(problem);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The value of an option. @throws UsageError if there is none. */
export function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** A whole number of an argument. @throws UsageError */
export function wholeNumber(text: string, what: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high)
    throw new UsageError(`${what} must be a whole number from ${low} to ${high}, not ${text}`);
  return value;
}

/** The plan that the options name, with the numbers of the plan enterprise. @throws UsageError */
export function planOf(options: Options, fallback?: Plan): { plan: Plan; quota: Quota | undefined } {
  const name = options['plan'] === undefined && fallback !== undefined ? fallback : required(options, 'plan');
  const plan = PLANS.find((known) => known === name.toLowerCase());
  if (plan === undefined) throw new UsageError(`there is no plan ${name}: choose ${PLANS.join(', ')}`);
  const names = ['per-minute', 'per-day'] as const;
  const given = names.filter((option) => options[option] !== undefined);
  if (plan !== 'enterprise') {
    if (given.length > 0)
      throw new UsageError(`--${given.join(' and --')} is for the plan enterprise: the plan ${plan} has its own numbers`);
    return { plan, quota: undefined };
  }
  const missing = names.find((option) => !given.includes(option));
  if (missing !== undefined) throw new UsageError(`--${missing} is missing: the plan enterprise has no numbers of its own`);
  const [perMinute = 0, perDay = 0] = names.map((option) => wholeNumber(required(options, option), `--${option}`, 1, 1_000_000_000));
  return { plan, quota: { minute: perMinute, day: perDay } };
}

/** Rows under the names of their columns, as wide as they need; `-` for what is absent. */
export function table<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
