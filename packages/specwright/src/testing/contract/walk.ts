/** The contract walk: tests that every operation answers every status that it declares, as it declares it. */
import { refusalStatuses } from '@specwright/contract/document';
import { scaleTimeout, testRunner } from '../fixtures/fixture.ts';
import type { SpecOperation } from './document.ts';
import { describeFailure, type Scenario, type Walk, exemptionsFileOf, selectOperations } from './walk-options.ts';
import { undeclaredQuery } from './generic-scenarios.ts';
import type { Call } from './operation-client.ts';
import { exemptionOf, sentBy, testOutgoing } from './outgoing.ts';
import { REJECTED, needsCertificate, refusalTests } from './refused-credentials.ts';
import { RULES, rulesOf, tryRule } from './rules/rules.ts';
import { hasPlace, listVariants, requestSchemas } from './values/variants.ts';
import { NEEDED_EXEMPTIONS, SECOND_JUDGE, withSecondJudge } from './witnesses/judge-requests.ts';
import { type HttpResponse, statusKey } from './witnesses/witness.ts';
import { tryWrittenValues } from './written-values.ts';

/**
 * Declares a test for every status that each operation declares. A status without a scenario, or whose scenario has no call, fails.
 * Others send it no credentials, wrong ones, and what `refusedCredentials` makes. Another test for each operation sends it everything that its request declares, and reads what it has written; and one for each rule
 * that applies to it, such as that a filter leaves out what does not match.
 * The environment variable `TEST_OPERATIONS` restricts it to some operations.
 *
 * @param options.values whether values and rules are tried: a walk through a proxy does not have to do it again.
 */
export function walkContract<World>(given: Walk<World>, { values = true }: { readonly values?: boolean } = {}): void {
  const { describe, test } = testRunner();
  const { walk, assertExemptionsNeeded } = withSecondJudge(given);
  for (const operation of selectOperations(walk.spec.operations))
    describe(operation.id, () => {
      for (const status of operation.statuses) test(`answers ${status} as declared`, () => tryStatus(walk, operation, status));
      if (!values) return;
      for (const { title, run } of refusalTests(walk, operation)) test(title, run);
      testValues(walk, operation, false);
    });
  if (values) {
    testOutgoing(walk);
    test(KNOWN_EXEMPTIONS, () => assertExemptions(walk));
    test(NEEDED_EXEMPTIONS, assertExemptionsNeeded);
  }
  test('the contract has operations', () => {
    if (walk.spec.operations.length === 0) throw new Error('nothing was tried: the document has no operations');
  });
}

/** Of all the requests of one operation in a test. */
const OPERATION_TIMEOUT_MS = 60_000;
const KNOWN_EXEMPTIONS = 'every exemption is of a request or a rule of the contract';

/** @param unwritten whether other operations may still answer 501. */
function testValues<World>(walk: Walk<World>, operation: SpecOperation, unwritten: boolean): void {
  const { test } = testRunner();
  const declare = (title: string, run: () => Promise<void>) => test(title, run, scaleTimeout(OPERATION_TIMEOUT_MS));
  declare('accepts every property, enum value and branch, and returns what was written', () => tryWrittenValues(walk, operation));
  for (const rule of rulesOf(walk, operation)) declare(rule.title, () => tryRule(walk, operation, rule, unwritten));
}

/** @throws Error if there is an exemption of something that the contract does not have. */
export function assertExemptions(walk: Pick<Walk<unknown>, 'spec' | 'exemptions' | 'exemptionsFile'>): void {
  const unknown = unknownExemptions(walk);
  if (unknown.length > 0) throw new Error(`not in the contract: ${unknown.join(', ')}. Remove it from ${exemptionsFileOf(walk)}`);
}

/** The declared statuses without a scenario, as `operation status`. */
export function missingScenarios<World>({ spec, scenarioFor }: Pick<Walk<World>, 'spec' | 'scenarioFor'>): string[] {
  return spec.operations.flatMap((operation) =>
    operation.statuses.filter((status) => scenarioFor(operation, status) === undefined).map((status) => `${operation.id} ${status}`),
  );
}

/** Sends the calls of one status. @throws Error if there are none, or a response is not as declared. */
export async function tryStatus<World>(walk: Walk<World>, operation: SpecOperation, status: string): Promise<void> {
  const { spec, client, world, canSend = () => true, problems = spec.problems } = walk;
  const calls = (await walk.scenarioFor(operation, status)?.(world)) ?? [];
  if (calls.length === 0) throw new Error(`no scenario makes ${operation.id} answer ${status}: add it to ${walk.scenariosFile}`);
  // None that it can send: another walk does.
  for (const call of calls.filter(canSend)) {
    const response = await client.send(operation.id, call);
    const expected = statusKey(operation.statuses, response.status) === status ? undefined : `status ${response.status}, not ${status}`;
    const found = [...(expected === undefined ? [] : [expected]), ...problems(operation.id, response), ...missingMessage(call, response)];
    if (found.length === 0) continue;
    const { notes } = await client.sample(operation.id);
    throw new Error(describeFailure(operation, call, response, [...found, ...notes.map((note) => `note: ${note}`)], walk));
  }
}

/** A body may have the location as a list, as FastAPI writes it: `["query","limit"]`. */
const missingMessage = ({ message }: Call, { text }: HttpResponse): string[] =>
  message === undefined || text.includes(message) || text.includes(JSON.stringify(message.split('/')))
    ? []
    : [`the body does not mention "${message}"`];

/** Exemptions of operations, of parts of requests and of rules that the contract does not have. */
export function unknownExemptions({ spec, exemptions = {} }: Pick<Walk<unknown>, 'spec' | 'exemptions'>): string[] {
  const outgoing = sentBy(spec).map(exemptionOf);
  return Object.keys(exemptions).filter((key) => {
    if (outgoing.includes(key)) return false;
    const operation = spec.operations.find(({ id }) => key === id || key.startsWith(`${id} `));
    if (operation === undefined) return true;
    const name = key.slice(operation.id.length + 1);
    const schemas = requestSchemas(spec.document, operation);
    const isVariant = listVariants(spec.document, schemas).some((variant) => variant.name === name);
    const isRule = RULES.some((rule) => rule.cases(spec, operation).some((one) => one.name === name));
    return name !== '' && name !== SECOND_JUDGE && !isVariant && !isRule && !hasPlace(spec.document, schemas, name);
  });
}

/** Tests of a service whose operations are implemented one after the other: what holds for each from the start, and its scenarios. */
export interface OperationTests<World> extends Omit<Walk<World>, 'scenarioFor' | 'problems' | 'canSend'> {
  /** By operation and status. An operation that is implemented needs at least one. */
  readonly scenarios: Readonly<Record<string, Readonly<Record<string, Scenario<World> | undefined>> | undefined>>;
  /**
   * Operations for which no valid request can be made from the contract, and parts of requests and rules as in a `Walk`, each with
   * the reason. One that is not needed fails, so the list only shrinks.
   */
  readonly exemptions?: Walk<World>['exemptions'];
  /**
   * Whether express-openapi-validator is asked about each request, as `walkContract` does. Default: `false`, because it misreads what many
   * published documents have.
   */
  readonly secondJudge?: boolean;
}

/**
 * Declares the tests of every operation: credentials are required, wrong, expired and insufficient ones are refused, an undeclared query parameter is rejected, and it
 * answers 501 or what its scenarios say, with everything that its request declares, and keeps the rules that apply to it. An operation that no test reaches fails. The environment variable
 * `TEST_OPERATIONS` restricts it to some operations.
 */
export function testOperations<World>(given: OperationTests<World>): void {
  const { describe, test } = testRunner();
  const judged = given.secondJudge === true ? withSecondJudge(given) : undefined;
  const tests = judged?.walk ?? given;
  const { spec, scenarios } = tests;
  const walk = { ...tests, scenarioFor: ({ id }: SpecOperation, status: string) => scenarios[id]?.[status] };
  for (const operation of selectOperations(spec.operations))
    describe(operation.id, () => {
      for (const { title, run } of refusalTests(tests, operation)) test(title, run);
      test(`rejects an undeclared query parameter with ${refusalOf(operation)}`, () => tryUndeclared(tests, operation));
      const statuses = Object.keys(scenarios[operation.id] ?? {});
      for (const status of statuses) test(`answers ${status} as declared`, () => tryStatus(walk, operation, status));
      if (statuses.length === 0) test('answers 501 until it is implemented', () => tryUnimplemented(tests, operation));
      else testValues(walk, operation, true);
    });
  test('every scenario is of an operation of the contract', () => {
    const unknown = Object.keys(scenarios).filter((id) => !spec.operations.some((operation) => operation.id === id));
    if (unknown.length > 0) throw new Error(`not in the contract: ${unknown.join(', ')}. Remove it from ${tests.scenariosFile}`);
  });
  testOutgoing(tests);
  test(KNOWN_EXEMPTIONS, () => assertExemptions(walk));
  if (judged !== undefined) test(NEEDED_EXEMPTIONS, judged.assertExemptionsNeeded);
}

/** The status of a request that is not valid. */
const refusalOf = ({ statuses }: SpecOperation): number => refusalStatuses(statuses).get(400) ?? 400;

/** @throws Error if a query parameter that the contract does not have is accepted. */
export async function tryUndeclared<World>(tests: OperationTests<World>, operation: SpecOperation): Promise<void> {
  const [call] = undeclaredQuery(tests.spec.document, operation);
  // The sample may be rejected for what it lacks, which the contract rejects too.
  const statuses = [refusalOf(operation), ...(operation.deprecated ? [410] : []), ...(needsCertificate(operation) ? [401] : [])];
  const response = call && (await tests.client.send(operation.id, call));
  if (response === undefined || statuses.includes(response.status)) return;
  throw new Error(describeFailure(operation, call ?? {}, response, [`status ${response.status}, not ${statuses.join(' or ')}`], tests));
}

/** @throws Error unless the operation answers 501, or is exempt because no valid request can be made. */
export async function tryUnimplemented<World>(tests: OperationTests<World>, operation: SpecOperation): Promise<void> {
  const { id } = operation;
  const reason = tests.exemptions?.[id];
  const { missing, notes } = await tests.client.sample(id);
  const response = await tests.client.send(id);
  const isRejected = missing.length > 0 || [...REJECTED, ...(needsCertificate(operation) ? [401] : [])].includes(response.status);
  if (reason !== undefined && !isRejected) throw new Error(`${id} is exempt (${reason}), but it can be called: remove the exemption`);
  if (reason !== undefined) return;
  const fail = (...problems: string[]): never => {
    throw new Error(describeFailure(operation, {}, response, [...problems, ...notes.map((note) => `note: ${note}`)], tests));
  };
  const fix = `add an example to the contract, a scenario to ${tests.scenariosFile}, or an exemption`;
  if (missing.length > 0) fail(`no value can be made of ${missing.join(', ')}: ${fix}`);
  if (isRejected) fail(`the request made from the contract is rejected with ${response.status}: ${fix}`);
  if (response.status === 401 || response.status === 403) fail(`status ${response.status}, not 501`);
  if (response.status !== 501 && !(operation.deprecated && response.status === 410))
    fail(`status ${response.status}: it is implemented, so ${tests.scenariosFile} has to say what makes it answer what it declares`);
}
