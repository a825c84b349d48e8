/** The configuration: the only reader of the environment. */
import { resolve } from 'node:path';
import { ACCOUNT_VARIABLES, SIGN_UP_VARIABLES, WEBHOOK_VARIABLES } from '@specwright/accounts/environment';
import { DATABASE_VARIABLES } from '@specwright/postgres/environment';
import { integer, onOff, RATE_LIMIT_VARIABLES, readEnvironment, SERVER_VARIABLES, withDefault } from '@specwright/server/environment';

/** What the service is called where a name is needed: in challenges, for its embedded database and for its connections. */
export const NAME = 'petstore';

const VARIABLES = {
  ...SERVER_VARIABLES,
  ...DATABASE_VARIABLES,
  ...RATE_LIMIT_VARIABLES,
  ...ACCOUNT_VARIABLES,
  ...SIGN_UP_VARIABLES,
  ...WEBHOOK_VARIABLES,
  /** Whether agents may call the operations with `x-mcp`, at `POST /mcp`. */
  MCP: withDefault(onOff(), false),
  /** How long events of the stock are kept for clients that connect again, in hours. */
  STOCK_EVENT_RETENTION_HOURS: withDefault(integer(1, 876_000), 24),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigError with every variable that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const config = readEnvironment(VARIABLES, environment);
  return { ...config, dataDir: resolve(config.dataDir) };
}
