/** The configuration: the only reader of the environment. Everything that is wrong with it is reported together. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { NAME } from './about.ts';
import { VARIABLES, serviceConfig, type ServiceConfig } from './variables.ts';
import { integer } from '@specwright/server';

const databaseUrl = z.string().refine((text) => {
  try {
    return ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}, `must be a URL such as postgres://user:password@localhost:5432/${NAME}`);

const SCHEMA = z.object({
  /** Where the server listens. */
  PORT: integer(0, 65535).default(3000),
  HOST: z.string().min(1).optional(),
  /** Without it, a PostgreSQL of the project's own is started. */
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOL: integer(1, 1000).default(10),
  /** What is kept between starts: the embedded database, and what the service keeps. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** What happens to a response that breaks the contract. */
  RESPONSE_VALIDATION: z.enum(['strict', 'log', 'off'], 'must be strict, log or off').default('strict'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be trace, debug, info, warn, error or silent')
    .default('info'),
  /** How long requests under way may take to end when the server is told to stop, in ms. */
  SHUTDOWN_TIMEOUT: integer(0, 600_000).default(10_000),
  /** Whether `GET /metrics` is served, to whoever can reach the port. */
  METRICS: z.enum(['on', 'off'], 'must be on or off').default('off'),
  ...VARIABLES,
});

export interface Config extends ServiceConfig {
  readonly port: number;
  readonly host: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  /** An absolute path. */
  readonly dataDir: string;
  readonly responseValidation: 'strict' | 'log' | 'off';
  readonly logLevel: string;
  readonly shutdownTimeout: number;
  readonly metrics: boolean;
}

/** Thrown when the environment cannot be used; the message names each variable. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`the environment cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration.
 *
 * An empty variable counts as not set: that is how shells and compose files write "none".
 *
 * @throws ConfigError with every variable that is wrong.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = SCHEMA.safeParse(set);
  if (!parsed.success) {
    const describe = ({ path, message }: z.core.$ZodIssue) => {
      const name = String(path[0]);
      // A database URL may hold a password.
      const shown = name === 'DATABASE_URL' ? '' : `, not ${JSON.stringify(set[name])}`;
      return `${name} ${message}${shown}`;
    };
    throw new ConfigError(parsed.error.issues.map(describe));
  }
  const { data } = parsed;
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    databaseUrl: data.DATABASE_URL,
    databasePool: data.DATABASE_POOL,
    dataDir: resolve(data.DATA_DIR),
    responseValidation: data.RESPONSE_VALIDATION,
    logLevel: data.LOG_LEVEL,
    shutdownTimeout: data.SHUTDOWN_TIMEOUT,
    metrics: data.METRICS === 'on',
    ...serviceConfig(data),
  });
}
