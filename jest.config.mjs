/** Jest's configuration: two workers more than there are cores. Each test file has its own database in one PostgreSQL. */
import { availableParallelism, totalmem } from 'node:os';

/** The workers beside those of the cores use the time in which tests wait: half of it. */
const WORKERS_BESIDE = 2;
/** Of the server of a run (`temporary-server.ts`); another one is taken to have PostgreSQL's default. */
const CONNECTIONS = process.env.TEST_DATABASE_URL === undefined ? 200 : 100;
/** Two workers were seen to have 32 at once. */
const CONNECTIONS_PER_WORKER = 25;
/** A worker keeps the modules that it has loaded: it was seen to grow to 1.8 GB. */
const BYTES_PER_WORKER = 2 * 1024 ** 3;

const bounds = [availableParallelism() + WORKERS_BESIDE, CONNECTIONS / CONNECTIONS_PER_WORKER, totalmem() / BYTES_PER_WORKER];

export default {
  runtime: '<rootDir>/test/support/runner/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/runner/environment.mjs',
  roots: ['<rootDir>/test', '<rootDir>/packages', '<rootDir>/conformance'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/(packages/[^/]+|conformance)/dist/',
    '<rootDir>/packages/specwright/template-(accounts|jwt)/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/transform.mjs' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  testTimeout: 120_000,
  maxWorkers: Math.max(1, Math.floor(Math.min(...bounds))),
  testEnvironmentOptions: { customExportConditions: ['@specwright/source', 'node', 'node-addons'] },
};
