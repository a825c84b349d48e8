/** The settings of our sessions, whatever the defaults of a server, a database or a role are: what is read and written depends on them. */
import type { BoundedClientConfig } from './statement.ts';

/** Those that PgBouncer keeps for each of its clients, whichever connection to the server it gets. */
const TRACKED_SETTINGS = {
  // `pg` and our parsers read dates and times in this form.
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
} as const;

/** Those that a pooler refuses, in a transaction of which `SET LOCAL` gives them. */
const UNTRACKED_SETTINGS = {
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  // The shortest text that is read as the same number (PostgreSQL 12 and later).
  extra_float_digits: '1',
  array_nulls: 'on',
} as const;

/** Tells whether the session has what the start-up message gives it. */
export const MARK = 'specwright.session';

/**
 * For the start-up message, whose values precede those of ALTER DATABASE and ALTER ROLE, and are what RESET and DISCARD return to. The encoding
 * is among what `pg` sends itself. Not `default_transaction_read_only`: an operator stops writes by it, and readiness reports that.
 */
const SESSION_SETTINGS: Readonly<Record<string, string | number>> = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  ...TRACKED_SETTINGS,
  ...UNTRACKED_SETTINGS,
  // Stores decide behind locks, which is for READ COMMITTED.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  [MARK]: 'on',
};

/** @returns the configuration with the settings of the session as `options`, behind those of the URL; without them for a pooler that refuses any. */
export function withSettings(config: BoundedClientConfig, isRefused: boolean): BoundedClientConfig {
  const url = new URL(config.connectionString ?? '');
  const given = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  const settings = Object.entries({ ...SESSION_SETTINGS, ...config.settings });
  // A space begins the next option, unless there is a backslash before it (PostgreSQL, 20.1.4).
  const ours = settings.map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`);
  return { ...config, connectionString: url.href, options: [given, ...(isRefused ? [] : ours)].join(' ').trim() };
}

/** Gives a client of a pooler that has left them out the settings that it tracks. */
export const SET_TRACKED = Object.entries(TRACKED_SETTINGS)
  .map(([name, value]) => `SET ${name} TO ${value === 'ISO, MDY' ? value : `'${value}'`}`)
  .join(';');

/** The settings that a transaction needs behind a pooler, as statements. @param timeouts in ms. */
export const localSettings = (timeouts: Readonly<Record<string, number>>): string[] =>
  Object.entries({ ...timeouts, ...UNTRACKED_SETTINGS }).map(([name, value]) => `SET LOCAL ${name} = '${value}'`);
