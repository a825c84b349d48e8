/** The public API of `specwright/testing`. */

// PostgreSQL for a test run, and a database for each test file.
export { startTestServer, type TestServer, type TestServerOptions } from './fixtures/database/test-server.ts';
export { createDatabase, withDatabase, type TestDatabase, type TestDatabaseOptions } from './fixtures/database/database.ts';
export { countDeadlocks, dumpRows } from './fixtures/database/database.ts';

// Servers, processes, and what they talk to.
export { listenOnFreePort, withApp, type ListeningServer } from './fixtures/app.ts';
export { withFixture } from './fixtures/fixture.ts';
export { killProcesses, startProcess, type ProcessExit, type ProcessOptions, type TestProcess } from './fixtures/process.ts';
export { startReceiver, type ReceivedRequest, type Receiver, type Respond } from './fixtures/app.ts';
export {
  createTokenIssuer,
  startTokenIssuer,
  type ListeningTokenIssuer,
  type TokenIssuer,
  type TokenOptions,
} from './fixtures/token-issuer.ts';
export { createClient, type JsonClient, type JsonResponse } from './fixtures/app.ts';
export { createTestLog, type LogLine } from './fixtures/app.ts';
export { removeFolder } from './fixtures/process.ts';
export { until } from './fixtures/fixture.ts';
export { scaleTimeout } from './fixtures/fixture.ts';

// A contract, and whether a server keeps it.
export { createWitness, type HttpResponse, type Witness, type WitnessOptions } from './contract/witnesses/witness.ts';
export type { Json, SpecOperation } from './contract/document.ts';
export { createOperationClient, type Call, type OperationClient, type OperationClientOptions } from './contract/operation-client.ts';
export type { Credentials } from './contract/values/sample.ts';
export { valueOf } from './contract/values/build-value.ts';
export { GENERIC_SCENARIOS, type GenericContext, type GenericScenario } from './contract/generic-scenarios.ts';
export { missingScenarios, walkContract } from './contract/walk.ts';
export type { MakeCredentials, OutgoingScenario, OutgoingScenarios, RefusedCredentials, Scenario, Walk } from './contract/walk-options.ts';
export { isTokenScheme } from './contract/refused-credentials.ts';
export { ruleCases } from './contract/rules/rules.ts';
export { tryWrittenValues } from './contract/written-values.ts';
export { testOperations, type OperationTests } from './contract/walk.ts';
