/** Reads environment variables, and reports all problems together. */
import { DEFAULT_MAX_BODY_BYTES, HIGHEST_BODY_LIMIT } from '@specwright/contract';
import { DEFAULT_BODY_BUDGET_BYTES, DEFAULT_SPOOL_BUDGET_BYTES } from './pipeline/body/body-budget.ts';
import { integer, oneOf, onOff, originList, processes, text, trustedProxy, type Variable } from './variables.ts';

/** What a process is: a server, or a function, which its platform freezes between requests. A variable that is set goes before what a profile says. */
const PROFILES: Readonly<Record<string, Readonly<Record<string, string>>>> = { function: { DATABASE_POOL: '2', WORKER: 'off' } };

export const SERVER_VARIABLES = {
  PORT: integer(0, 65535).default(3000),
  HOST: text().optional(),
  /** `function`: nothing runs beside requests, and other variables have other defaults. */
  PROFILE: oneOf('server', 'function').default('server'),
  /** How many processes serve, on the same port. */
  WORKERS: processes().default(1),
  /** What happens to a response that breaks the contract. */
  RESPONSE_VALIDATION: oneOf('strict', 'log', 'off').default('strict'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  /** Lines for people (`pretty`, if pino-pretty is installed) or for programs. If it is not set: for people in a terminal. */
  LOG_FORMAT: oneOf('json', 'pretty').optional(),
  /** Which requests have a line in the log: all, those answered with 5xx or not answered, or none. */
  LOG_REQUESTS: oneOf('all', 'errors', 'off').default('all'),
  /** The largest request body of operations without `x-body-limit`, in bytes after decompression. */
  MAX_BODY_BYTES: integer(1, HIGHEST_BODY_LIMIT).default(DEFAULT_MAX_BODY_BYTES),
  /** How many bytes the bodies of all requests under way may have in memory. */
  BODY_BUDGET: integer(65_536, 1024 ** 4).default(DEFAULT_BODY_BUDGET_BYTES),
  /** How many bytes the spooled files of all requests under way may have on disk. */
  SPOOL_BUDGET: integer(1_048_576, 1024 ** 5).default(DEFAULT_SPOOL_BUDGET_BYTES),
  /** Whether responses of 1 KiB and more are compressed for clients that accept it. */
  COMPRESSION: onOff().default(true),
  /** The origins whose pages may call the API from browsers, comma-separated, or `*`. */
  CORS_ORIGINS: originList().optional(),
  /** How many streams of items, such as server-sent events, may be open at once. */
  MAX_STREAMS: integer(1, 1_000_000).default(10_000),
  /** How many of them one caller may have open. */
  MAX_STREAMS_PER_CALLER: integer(1, 1_000_000).default(100),
  /** How long this server may take for a request before it answers 503, in ms. */
  REQUEST_TIMEOUT: integer(1, 600_000).default(2500),
  /** How long the process may take to stop once it is told to, in ms. */
  SHUTDOWN_TIMEOUT: integer(0, 600_000).default(10_000),
  /**
   * How long the server goes on serving after SIGTERM, while `GET /readyz` is 503, in ms: a part of SHUTDOWN_TIMEOUT. Longer than
   * the load balancer takes to notice, which only its operator knows. Without a load balancer there is nothing to wait for.
   */
  DRAIN_DELAY: integer(0, 600_000).default(0),
  /** Whether `GET /docs` is served, without authentication. */
  DOCS: onOff().default(true),
  /** The client that `/docs` logs in as at the identity provider: a public one, with PKCE, whose redirect URI is `/docs/oauth2-redirect`. */
  DOCS_CLIENT_ID: text().optional(),
  /** The identity provider that `/docs` uses in place of the contract's: its URL, without `/.well-known/openid-configuration`. */
  DOCS_ISSUER: text((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be a URL with https or http').optional(),
  /** Whether pages at `/docs` load themselves again when a server with another contract has replaced this one: for development. */
  DOCS_RELOAD: onOff().default(false),
  /** Whether `GET /metrics` is served, without authentication. */
  METRICS: onOff().default(false),
  /** Serves `GET /metrics` at this port and not at PORT, with METRICS=off too; that of worker 2 at the next port, and so on. */
  METRICS_PORT: integer(0, 65535).optional(),
};

/**
 * What of `SERVER_VARIABLES` is an option of `createServer`, so that a new variable needs no line in a service.
 *
 * @param docsOmit the `operationId`s that `/docs` does not show: those of what the operator has not switched on.
 */
export const serverOptions = (config: Environment<typeof SERVER_VARIABLES>, { docsOmit = [] as readonly string[] } = {}) => ({
  responseValidation: config.responseValidation,
  requestTimeoutMs: config.requestTimeout,
  maxBodyBytes: config.maxBodyBytes,
  bodyBudgetBytes: config.bodyBudget,
  spoolBudgetBytes: config.spoolBudget,
  compression: config.compression,
  background: config.profile === 'server',
  streams: { total: config.maxStreams, perCaller: config.maxStreamsPerCaller },
  cors: config.corsOrigins && { origins: config.corsOrigins },
  docs: config.docs && { oauth: { clientId: config.docsClientId, issuer: config.docsIssuer }, reload: config.docsReload, omit: docsOmit },
  metrics: config.metrics,
  metricsPort: config.metricsPort,
  logRequests: config.logRequests,
});

export const RATE_LIMIT_VARIABLES = {
  /** Which header of a proxy names the client, and how many proxies there are: `X-Forwarded-For` or `X-Forwarded-For:2`. */
  TRUST_PROXY: trustedProxy().optional(),
  /** How many servers share the store: each admits its part of the limits while the store does not answer. */
  INSTANCES: integer(1, 10_000).default(1),
  /** How long the store may take to answer, in ms. */
  RATE_LIMIT_TIMEOUT: integer(1, 60_000).default(150),
};

/** What of `RATE_LIMIT_VARIABLES` is in the option `rateLimit`. */
export const rateLimitOptions = (config: Environment<typeof RATE_LIMIT_VARIABLES> & { readonly workers: number }) => ({
  trustProxy: config.trustProxy,
  instances: config.instances * config.workers,
  timeoutMs: config.rateLimitTimeout,
});

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of variables, with names in camel case: `DATABASE_URL` is `databaseUrl`. */
export type Environment<Shape extends Variables> = {
  readonly [Name in keyof Shape & string as CamelCase<Name>]: Shape[Name] extends Variable<infer Value> ? Value : never;
};

/** Thrown for invalid environment variables; the message names each of them. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`the environment is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

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
    const read = variable.read(given);
    const isSecret = given === undefined || secret.includes(name) || name.endsWith('_SECRET');
    if ('value' in read) values[camelCase(name)] = read.value;
    else problems.push(`${name} ${read.problem}${isSecret ? '' : `, not ${JSON.stringify(given)}`}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values) as Environment<Shape>;
}

const camelCase = (name: string): string => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
