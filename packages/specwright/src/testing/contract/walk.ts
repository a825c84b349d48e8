/** The contract walk: tests that every operation answers every status that it declares, as it declares it. */
import { testRunner } from '../fixtures/hooks.ts';
import { scaleTimeout } from '../fixtures/timeouts.ts';
import type { SpecOperation } from './document.ts';
import { exemptionsFileOf } from './exemptions.ts';
import { describeFailure } from './failure.ts';
import type { Call } from './operation-client.ts';
import { exemptionOf, sentBy, testOutgoing } from './outgoing.ts';
import { refusalTests } from './refused-credentials.ts';
import { RULES, rulesOf, tryRule } from './rules/rules.ts';
import { selectOperations } from './select-operations.ts';
import { hasPlace, listVariants, requestSchemas } from './values/variants.ts';
import type { Walk } from './walk-options.ts';
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
      test(WRITTEN_VALUES, () => tryWrittenValues(walk, operation), scaleTimeout(OPERATION_TIMEOUT_MS));
      for (const rule of rulesOf(walk, operation))
        test(rule.title, () => tryRule(walk, operation, rule), scaleTimeout(OPERATION_TIMEOUT_MS));
    });
  if (values) testOutgoing(walk);
  if (values) test(KNOWN_EXEMPTIONS, () => assertExemptions(walk));
  if (values) test(NEEDED_EXEMPTIONS, assertExemptionsNeeded);
  test('the contract has operations', () => {
    if (walk.spec.operations.length === 0) throw new Error('nothing was tried: the document has no operations');
  });
}

/** Of all the requests of one operation in a test. */
export const OPERATION_TIMEOUT_MS = 60_000;
export const WRITTEN_VALUES = 'accepts every property, enum value and branch, and returns what was written';
export const KNOWN_EXEMPTIONS = 'every exemption is of a request or a rule of the contract';

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

const missingMessage = ({ message }: Call, { text }: HttpResponse): string[] =>
  message === undefined || text.includes(message) ? [] : [`the body does not mention "${message}"`];

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
