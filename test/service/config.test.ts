/** The configuration: which variables are read, and how invalid ones are reported. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { HIGHEST_BODY_LIMIT } from '@specwright/contract';
import { ConfigError } from '@specwright/server';
import { readConfig } from '../../src/config.ts';

test('has defaults for everything', () => {
  expect(readConfig({})).toMatchObject({ port: 3000, databaseUrl: undefined, responseValidation: 'strict', logLevel: 'info' });
});

test('treats an empty variable as one that is not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test('reports all invalid variables together, without passwords', () => {
  const read = () =>
    readConfig({ PORT: '80x', DATABASE_URL: 'mysql://u:secret@h/d', RESPONSE_VALIDATION: 'maybe', LOG_LEVEL: 'loud', DATABASE_POOL: '0' });
  expect(read).toThrow(ConfigError);
  try {
    read();
  } catch (error) {
    const { message } = error as Error;
    for (const name of [
      'PORT must be a whole number from 0 to 65535, not "80x"',
      'DATABASE_URL must be a URL',
      'RESPONSE_VALIDATION must be',
      'LOG_LEVEL must be',
      'DATABASE_POOL must be',
    ]) {
      expect(message).toContain(name);
    }
    expect(message).not.toContain('secret');
  }
});

test('by default the worker is on and private addresses are not allowed', () => {
  expect(readConfig({})).toMatchObject({ worker: true, webhookTimeout: 10_000, webhookAllowPrivate: false, messageRetentionDays: 30 });
  expect(readConfig({ MESSAGE_RETENTION_DAYS: '7' })).toMatchObject({ messageRetentionDays: 7 });
  expect(() => readConfig({ MESSAGE_RETENTION_DAYS: '0' })).toThrow(/MESSAGE_RETENTION_DAYS must be/);
  expect([readConfig({}), readConfig({ STOCK_EVENT_RETENTION_HOURS: '2' })]).toMatchObject([
    { stockEventRetentionHours: 24 },
    { stockEventRetentionHours: 2 },
  ]);
  const set = readConfig({ WORKER: 'off', WEBHOOK_TIMEOUT: '500', WEBHOOK_ALLOW_PRIVATE: 'true' });
  expect(set).toMatchObject({ worker: false, webhookTimeout: 500, webhookAllowPrivate: true });
  expect(() => readConfig({ WORKER: 'no', WEBHOOK_TIMEOUT: '0', WEBHOOK_ALLOW_PRIVATE: '1' })).toThrow(
    /WORKER must be on or off.*WEBHOOK_TIMEOUT must be.*WEBHOOK_ALLOW_PRIVATE must be true or false/s,
  );
});

test('METRICS_PORT is a port, and none by default', () => {
  expect([readConfig({}).metricsPort, readConfig({ METRICS_PORT: '9464' }).metricsPort]).toEqual([undefined, 9464]);
  expect(() => readConfig({ METRICS_PORT: 'on' })).toThrow(/METRICS_PORT must be a whole number from 0 to 65535/);
});

test.each(['-1', '65536', '3e3', ' 3000', '0x10'])('rejects PORT=%j', (text) => {
  expect(() => readConfig({ PORT: text })).toThrow(/PORT must be/);
});

test.each([
  ['X-Forwarded-For', { header: 'x-forwarded-for', hops: 1 }],
  ['CF-Connecting-IP:2', { header: 'cf-connecting-ip', hops: 2 }],
])('TRUST_PROXY=%j names a header and a number of proxies', (text, trustProxy) => {
  expect(readConfig({ TRUST_PROXY: text })).toMatchObject({ trustProxy });
});

test.each(['X-Forwarded-For:0', 'X-Forwarded-For:x', '10.0.0.0/8'])('rejects TRUST_PROXY=%j', (text) => {
  expect(() => readConfig({ TRUST_PROXY: text })).toThrow(/TRUST_PROXY must be a header/);
});

test('trusts no proxy by default', () => {
  expect(readConfig({}).trustProxy).toBeUndefined();
});

test('PROFILE=function gives other defaults, and what is set goes before them', () => {
  expect(readConfig({})).toMatchObject({ profile: 'server', databasePool: 10, worker: true });
  expect(readConfig({ PROFILE: 'function', WORKER: '' })).toMatchObject({ profile: 'function', databasePool: 2, worker: false });
  expect(readConfig({ PROFILE: 'function', DATABASE_POOL: '3', WORKER: 'on' })).toMatchObject({ databasePool: 3, worker: true });
  expect(() => readConfig({ PROFILE: 'lambda' })).toThrow(/PROFILE must be server or function, not "lambda"/);
});

type Case = readonly [name: string, lowest: string, highest: string, invalid: readonly string[], problem: string];

const number = (name: string, low: number, high: number): Case => [
  name,
  String(low),
  String(high),
  [String(low - 1), String(high + 1), 'x', ' 1', '1.5', '1e3', '0x10'],
  `must be a whole number from ${low} to ${high}`,
];
const words = (name: string, ...valid: readonly string[]): Case => [
  name,
  valid[0] ?? '',
  valid.at(-1) ?? '',
  ['x', ' ', valid[0]?.toUpperCase() ?? '', `${valid[0]} `],
  `must be ${valid.slice(0, -1).join(', ')} or ${valid.at(-1)}`,
];
const texts = (name: string, one: string, other: string, invalid: readonly string[] = [], problem = ''): Case => [
  name,
  one,
  other,
  invalid,
  problem,
];
const POSTGRES_URL = 'must be a URL such as postgres://user:password@localhost:5432/name';

const CASES: readonly Case[] = [
  number('PORT', 0, 65_535),
  texts('HOST', '::', 'localhost'),
  words('PROFILE', 'server', 'function'),
  texts('WORKERS', '1', '256', ['0', '257', '01', 'AUTO', '1.5'], 'must be auto or a whole number from 1 to 256'),
  texts('DATABASE_URL', 'postgres://h/d', 'postgresql://u:p@h:1/d', ['h/d', 'mysql://u:p@h/d', ' '], POSTGRES_URL),
  texts('DATABASE_DIRECT_URL', 'postgres://h/d', 'postgresql://u:p@h:1/d', ['h/d', 'mysql://u:p@h/d', ' '], POSTGRES_URL),
  words('DATABASE_PREPARED_STATEMENTS', 'on', 'off'),
  number('DATABASE_POOL', 1, 1000),
  number('STATEMENT_TIMEOUT', 1, 600_000),
  number('LOCK_TIMEOUT', 1, 600_000),
  number('START_TIMEOUT', 0, 3_600_000),
  texts('DATA_DIR', '/a', '/b'),
  words('RESPONSE_VALIDATION', 'strict', 'log', 'off'),
  words('LOG_LEVEL', 'trace', 'debug', 'info', 'warn', 'error', 'silent'),
  words('LOG_FORMAT', 'json', 'pretty'),
  words('LOG_REQUESTS', 'all', 'errors', 'off'),
  texts(
    'TRUST_PROXY',
    'X',
    'X-Forwarded-For:99',
    ['X:0', 'X:100', 'X:', 'X Y'],
    'must be a header and a number of proxies, such as X-Forwarded-For:1',
  ),
  number('INSTANCES', 1, 10_000),
  number('RATE_LIMIT_TIMEOUT', 1, 60_000),
  words('DOCS', 'on', 'off'),
  texts('DOCS_CLIENT_ID', 'a', 'b'),
  texts('DOCS_ISSUER', 'http://h', 'HTTPS://h/p', ['h', 'ftp://h', 'https://'], 'must be a URL with https or http'),
  words('DOCS_RELOAD', 'on', 'off'),
  words('METRICS', 'on', 'off'),
  number('METRICS_PORT', 0, 65_535),
  words('MCP', 'on', 'off'),
  words('WORKER', 'on', 'off'),
  number('WEBHOOK_TIMEOUT', 1, 600_000),
  number('MESSAGE_RETENTION_DAYS', 1, 36_500),
  number('KEY_RETENTION_DAYS', 1, 36_500),
  texts('SIGN_UP_ACCOUNT', '1', '9007199254740991', ['0', '9007199254740992', 'x'], 'must be a whole number from 1 to 9007199254740991'),
  texts('SIGN_UP_SECRET', 's'.repeat(32), 's'.repeat(33), ['s'.repeat(31), ' '], 'must have 32 characters or more'),
  number('STOCK_EVENT_RETENTION_HOURS', 1, 876_000),
  words('WEBHOOK_ALLOW_PRIVATE', 'true', 'false'),
  number('REQUEST_TIMEOUT', 1, 600_000),
  number('MAX_BODY_BYTES', 1, HIGHEST_BODY_LIMIT),
  number('BODY_BUDGET', 65_536, 1024 ** 4),
  number('SPOOL_BUDGET', 1_048_576, 1024 ** 5),
  words('COMPRESSION', 'on', 'off'),
  number('MAX_STREAMS', 1, 1_000_000),
  number('MAX_STREAMS_PER_CALLER', 1, 1_000_000),
  texts(
    'CORS_ORIGINS',
    '*',
    'https://a.example, http://b.example:8080',
    ['null', 'a.example', '*,https://a.example', ','],
    'must be origins, comma-separated (',
  ),
  number('SHUTDOWN_TIMEOUT', 0, 600_000),
  number('DRAIN_DELAY', 0, 600_000),
];
const SECRET = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'SIGN_UP_SECRET'];
const keyOf = (name: string) => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** With the variable that bounds another one at its highest. */
const read = (environment: NodeJS.ProcessEnv) => readConfig({ SHUTDOWN_TIMEOUT: '600000', ...environment });
const valueOf = (name: string, text: string) => (read({ [name]: text }) as Readonly<Record<string, unknown>>)[keyOf(name)];

test('each variable of the service has a case, and a row in docs/reference/configuration.md', () => {
  const names = CASES.map(([name]) => name);
  expect(names.map(keyOf).sort()).toEqual(Object.keys(readConfig({})).sort());
  const rows = readFileSync(new URL('../../docs/reference/configuration.md', import.meta.url), 'utf8').matchAll(/^\| `([A-Z_]+)`/gm);
  expect([...rows].map(([, name]) => name).sort()).toEqual([...names].sort());
});

test.each(CASES)('%s has values from %s to %s', (name, lowest, highest) => {
  expect(valueOf(name, lowest)).not.toEqual(valueOf(name, highest));
  expect(valueOf(name, '')).toEqual((readConfig({}) as Readonly<Record<string, unknown>>)[keyOf(name)]);
});

test.each(CASES)('%s says what it must be, and what it is unless that is secret', (name, _, __, invalid, problem) => {
  for (const text of invalid) {
    const message = messageOf(() => readConfig({ [name]: text }));
    expect(message).toContain(`\n  ${name} ${problem}`);
    if (SECRET.includes(name)) expect(message.endsWith(problem)).toBe(true);
    else expect(message.endsWith(`, not ${JSON.stringify(text)}`)).toBe(true);
  }
});

test('a drain is part of the time to stop', () => {
  expect(readConfig({ DRAIN_DELAY: '10000' }).drainDelay).toBe(10_000);
  expect(messageOf(() => readConfig({ DRAIN_DELAY: '10001' }))).toContain(
    'DRAIN_DELAY must be at most SHUTDOWN_TIMEOUT, 10000, not "10001"',
  );
});

test('all invalid variables are reported together, each once', () => {
  const wrong = CASES.filter(([, , , invalid]) => invalid.length > 0);
  const message = messageOf(() => readConfig(Object.fromEntries(wrong.map(([name, , , invalid]) => [name, invalid[0]]))));
  expect(
    message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(' ')[0])
      .sort(),
  ).toEqual(wrong.map(([name]) => name).sort());
});

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
}
