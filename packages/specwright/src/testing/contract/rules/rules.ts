/** The rules of the contract walk, and how each is tried with an operation. */
import type { SpecOperation } from '../document.ts';
import { describeFailure, type Walk, exemptionsOf, needless, orExempt } from '../walk-options.ts';
import { NoValueError } from '../values/build-options.ts';
import type { Witness } from '../witnesses/witness.ts';
import { DELETION, LOCATION, OTHER_ACCOUNTS } from './deletion.ts';
import { FILTERS, PAGES } from './lists.ts';
import { UNKNOWN_REFERENCES, REFERENCES_IN_USE } from './references.ts';
import { NotTriedError, type Rule, type RuleCase, createRuleContext } from './rule.ts';
import { EDGE_VALUES, REPEATED_REQUESTS } from './stored-values.ts';
import { OMITTED_PROPERTIES, PRECONDITIONS } from './writes.ts';

export const RULES: readonly Rule[] = [
  FILTERS,
  PAGES,
  LOCATION,
  UNKNOWN_REFERENCES,
  REFERENCES_IN_USE,
  EDGE_VALUES,
  REPEATED_REQUESTS,
  OMITTED_PROPERTIES,
  PRECONDITIONS,
  DELETION,
  OTHER_ACCOUNTS,
];

/** The rules that apply to an operation. */
export const rulesOf = <World>({ spec, otherClient }: Pick<Walk<World>, 'spec' | 'otherClient'>, operation: SpecOperation): Rule[] =>
  RULES.filter((rule) => (otherClient !== undefined || rule.needsOtherClient !== true) && rule.cases(spec, operation).length > 0);

/** Everything that the rules apply to, as exemptions name it: `listPets filter status`. */
export const ruleCases = (spec: Witness): string[] =>
  spec.operations.flatMap((operation) => RULES.flatMap((rule) => rule.cases(spec, operation).map(({ name }) => `${operation.id} ${name}`)));

/**
 * Tries a rule with an operation.
 *
 * @param unwritten whether an operation may still answer 501: then a rule that needs it is not tried.
 * @throws Error with what breaks the rule, or with exemptions that are not needed.
 */
export async function tryRule<World>(walk: Walk<World>, operation: SpecOperation, rule: Rule, unwritten = false): Promise<void> {
  const exempt = exemptionsOf(walk, operation);
  const failures: string[] = [];
  for (const one of rule.cases(walk.spec, operation)) {
    const { failure, notTried } = await tryCase(walk, operation, one);
    if (!exempt.has(one.name)) failures.push(...[failure ?? (unwritten ? undefined : notTried)].filter((text) => text !== undefined));
    else if (failure === undefined && notTried === undefined) failures.push(needless(walk, operation, one.name, 'the rule is kept'));
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** @returns what is wrong, or why it was not tried. */
async function tryCase<World>(
  walk: Walk<World>,
  operation: SpecOperation,
  { name, check }: RuleCase,
): Promise<{ readonly failure?: string; readonly notTried?: string }> {
  try {
    const found = await check(createRuleContext(walk));
    if (found === undefined) return {};
    const { operation: at, call, response, problems, fix } = found;
    return { failure: describeFailure(at, call, response, [...problems, `fix: ${fix}${orExempt(walk, operation, name)}`], walk) };
  } catch (error) {
    const text = `"${operation.id} ${name}" was not tried: ${error instanceof Error ? error.message : ''}${orExempt(walk, operation, name)}`;
    if (error instanceof NotTriedError) return { notTried: text };
    if (error instanceof NoValueError) return { failure: text };
    throw error;
  }
}
