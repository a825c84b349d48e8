/** The settings of our sessions, whatever the defaults of a server, a database or a role are: what is read and written depends on them. */

/** Those that PgBouncer takes in a start-up message, and sets on the connection of the server. */
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

/**
 * For the start-up message, whose values precede those of ALTER DATABASE and ALTER ROLE, and are what RESET and DISCARD return to. The encoding
 * is among what `pg` sends itself. Not `default_transaction_read_only`: an operator stops writes by it, and readiness reports that.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  ...TRACKED_SETTINGS,
  ...UNTRACKED_SETTINGS,
  // Stores decide behind locks, which is for READ COMMITTED.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
};

/** The start-up settings for a pooler that refuses others. */
export const isTracked = (name: string): boolean => Object.hasOwn(TRACKED_SETTINGS, name);

/** The settings that a transaction needs behind a pooler, as statements. */
export const LOCAL_SETTINGS: readonly string[] = Object.entries(UNTRACKED_SETTINGS).map(
  ([name, value]) => `SET LOCAL ${name} = '${value}';`,
);
