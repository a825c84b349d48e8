/** The configuration: the only reader of the environment. */
import { resolve } from 'node:path';
import { ACCOUNT_VARIABLES } from '@specwright/accounts';
import { DATABASE_VARIABLES } from '@specwright/postgres';
import { integer, onOff, RATE_LIMIT_VARIABLES, readEnvironment, SERVER_VARIABLES, trueFalse } from '@specwright/server';

/** What the service is called where a name is needed: in challenges, for its embedded database and for its connections. */
export const NAME = 'petstore';

const VARIABLES = {
  ...SERVER_VARIABLES,
  ...DATABASE_VARIABLES,
  ...RATE_LIMIT_VARIABLES,
  ...ACCOUNT_VARIABLES,
  /** Whether this process delivers messages. */
  WORKER: onOff().default(true),
  /** How long a delivery to a webhook may take, in ms. */
  WEBHOOK_TIMEOUT: integer(1, 600_000).default(10_000),
  /** How long messages that were sent or have failed are kept, in days. */
  MESSAGE_RETENTION_DAYS: integer(1, 36_500).default(30),
  /** Unsafe: lets webhooks have addresses that are not public. */
  WEBHOOK_ALLOW_PRIVATE: trueFalse().default(false),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigError with every variable that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const config = readEnvironment(VARIABLES, environment);
  return { ...config, dataDir: resolve(config.dataDir) };
}
