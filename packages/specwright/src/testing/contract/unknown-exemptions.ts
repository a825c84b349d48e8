/** Finds exemptions of what the contract does not have. */
import { exemptionOf, sentBy } from './outgoing.ts';
import { RULES } from './rules/rules.ts';
import { hasPlace, listVariants, requestSchemas } from './values/variants.ts';
import { SECOND_JUDGE } from './witnesses/judge-requests.ts';
import type { Walk } from './walk-options.ts';

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
