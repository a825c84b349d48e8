/** The configuration: which variables are read, and how invalid ones are reported. */
import { expect, test } from '@jest/globals';
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
