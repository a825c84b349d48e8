/** The public API of `@specwright/server/environment`: reads environment variables with zod, and reports all problems together. */
import { DEFAULT_MAX_BODY_BYTES, HIGHEST_BODY_LIMIT } from '@specwright/contract';
import { DEFAULT_BODY_BUDGET_BYTES, DEFAULT_SPOOL_BUDGET_BYTES } from './pipeline/body/body-budget.ts';
import { ConfigError } from './errors.ts';
import { integer, oneOf, onOff, optional, text, withDefault, type Variable } from '@specwright/contract/variables';
import { originList, processes, trustedProxy } from './variables.ts';

export { integer, oneOf, onOff, optional, secretText, text, trueFalse, withDefault, type Variable } from '@specwright/contract/variables';
export { TOKEN_VARIABLES } from './jwt/environment.ts';

/** What a process is: a server, or a function, which its platform freezes between requests. A variable that is set goes before what a profile says. */
const PROFILES: Readonly<Record<string, Readonly<Record<string, string>>>> = { function: { DATABASE_POOL: '2', WORKER: 'off' } };

/** A drain is a part of the time to stop. */
function drainProblems({ drainDelay = 0, shutdownTimeout = Infinity }: { drainDelay?: number; shutdownTimeout?: number }): string[] {
  return drainDelay > shutdownTimeout ? [`DRAIN_DELAY must be at most SHUTDOWN_TIMEOUT, ${shutdownTimeout}, not "${drainDelay}"`] : [];
}

export const SERVER_VARIABLES = {
  PORT: withDefault(integer(0, 65535), 3000),
  HOST: optional(text()),
  /** `function`: nothing runs beside requests, and other variables have other defaults. */
  PROFILE: withDefault(oneOf('server', 'function'), 'server'),
  /** How many processes serve, on the same port. */
  WORKERS: withDefault(processes(), 1),
  /** What happens to a response that breaks the contract. */
  RESPONSE_VALIDATION: withDefault(oneOf('strict', 'log', 'off'), 'strict'),
  LOG_LEVEL: withDefault(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info'),
  /** Lines for people (`pretty`, if pino-pretty is installed) or for programs. If it is not set: for people in a terminal. */
  LOG_FORMAT: optional(oneOf('json', 'pretty')),
  /** Which requests have a line in the log: all, those answered with 5xx or not answered, or none. */
  LOG_REQUESTS: withDefault(oneOf('all', 'errors', 'off'), 'all'),
  /** The largest request body of operations without `x-body-limit`, in bytes after decompression. */
  MAX_BODY_BYTES: withDefault(integer(1, HIGHEST_BODY_LIMIT), DEFAULT_MAX_BODY_BYTES),
  /** How many bytes the bodies of all requests under way may have in memory. */
  BODY_BUDGET: withDefault(integer(65_536, 1024 ** 4), DEFAULT_BODY_BUDGET_BYTES),
  /** How many bytes the spooled files of all requests under way may have on disk. */
  SPOOL_BUDGET: withDefault(integer(1_048_576, 1024 ** 5), DEFAULT_SPOOL_BUDGET_BYTES),
  /** Whether responses of 1 KiB and more are compressed for clients that accept it. */
  COMPRESSION: withDefault(onOff(), true),
  /** The origins whose pages may call the API from browsers, comma-separated, or `*`. */
  CORS_ORIGINS: optional(originList()),
  /** How many streams of items, such as server-sent events, may be open at once. */
  MAX_STREAMS: withDefault(integer(1, 1_000_000), 10_000),
  /** How many of them one caller may have open. */
  MAX_STREAMS_PER_CALLER: withDefault(integer(1, 1_000_000), 100),
  /** How long this server may take for a request before it answers 503, in ms. */
  REQUEST_TIMEOUT: withDefault(integer(1, 600_000), 2500),
  /** How long the process may take to stop once it is told to, in ms. */
  SHUTDOWN_TIMEOUT: withDefault(integer(0, 600_000), 10_000),
  /**
   * How long the server goes on serving after SIGTERM, while `GET /readyz` is 503, in ms: a part of SHUTDOWN_TIMEOUT. Longer than
   * the load balancer takes to notice, which only its operator knows. Without a load balancer there is nothing to wait for.
   */
  DRAIN_DELAY: withDefault(integer(0, 600_000), 0),
  /** Whether `GET /docs` is served, without authentication. */
  DOCS: withDefault(onOff(), true),
  /** The client that `/docs` logs in as at the identity provider: a public one, with PKCE, whose redirect URI is `/docs/oauth2-redirect`. */
  DOCS_CLIENT_ID: optional(text()),
  /** The identity provider that `/docs` uses in place of the contract's: its URL, without `/.well-known/openid-configuration`. */
  DOCS_ISSUER: optional(text((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be a URL with https or http')),
  /** Whether pages at `/docs` load themselves again when a server with another contract has replaced this one: for development. */
  DOCS_RELOAD: withDefault(onOff(), false),
  /** Whether `GET /metrics` is served, without authentication. */
  METRICS: withDefault(onOff(), false),
  /** Serves `GET /metrics` at this port and not at PORT, with METRICS=off too; that of worker 2 at the next port, and so on. */
  METRICS_PORT: optional(integer(0, 65535)),
};

export const RATE_LIMIT_VARIABLES = {
  /** Which header of a proxy names the client, and how many proxies there are: `X-Forwarded-For` or `X-Forwarded-For:2`. */
  TRUST_PROXY: optional(trustedProxy()),
  /** How many servers share the store: each admits its part of the limits while the store does not answer. */
  INSTANCES: withDefault(integer(1, 10_000), 1),
  /** How long the store may take to answer, in ms. */
  RATE_LIMIT_TIMEOUT: withDefault(integer(1, 60_000), 150),
};

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of variables, with names in camel case: `DATABASE_URL` is `databaseUrl`. */
export type Environment<Shape extends Variables> = {
  readonly [Name in keyof Shape & string as CamelCase<Name>]: Shape[Name] extends Variable<infer Value> ? Value : never;
};

/**
 * Reads the variables of `shape`.
 *
 * An empty variable counts as not set, because shells and compose files write none so.
 *
 * @param secret variables whose values must not be in messages, beside those whose names end with `_SECRET`.
 * @throws ConfigError with every invalid variable.
 */
export function readEnvironment<const Shape extends Variables>(
  shape: Shape,
  environment: NodeJS.ProcessEnv = process.env,
  { secret = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] }: { readonly secret?: readonly string[] } = {},
): Environment<Shape> {
  const values: Record<string, unknown> = {};
  const defaults = PROFILES[environment['PROFILE'] ?? ''] ?? {};
  const problems: string[] = [];
  for (const [name, variable] of Object.entries(shape)) {
    const given = environment[name] || defaults[name];
    const read = variable.safeParse(given);
    const isSecret = given === undefined || secret.includes(name) || name.endsWith('_SECRET');
    if (read.success) values[camelCase(name)] = read.data;
    else problems.push(`${name} ${read.error.issues[0]?.message}${isSecret ? '' : `, not ${JSON.stringify(given)}`}`);
  }
  problems.push(...drainProblems(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values) as Environment<Shape>;
}

const camelCase = (name: string): string => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
