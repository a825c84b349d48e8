/** The configuration: the only reader of the environment. */
import { resolve } from 'node:path';
import { DATABASE_VARIABLES } from '@specwright/postgres/environment';
import { RATE_LIMIT_VARIABLES, readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';

/** The name of the service in challenges, of its embedded database and of its connections. */
export const NAME = 'template_service';

/** One more is written so: `MAIL_TIMEOUT: withDefault(integer(1, 60_000), 5000)`, with both of `@specwright/server/environment`. */
const VARIABLES = { ...SERVER_VARIABLES, ...DATABASE_VARIABLES, ...RATE_LIMIT_VARIABLES };

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigError with every variable that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const config = readEnvironment(VARIABLES, environment);
  return { ...config, dataDir: resolve(config.dataDir) };
}
