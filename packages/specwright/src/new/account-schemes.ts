/** Which credentials a contract has a place for: API keys of accounts, whose plans are its own, or access tokens. */
import type { SecuritySchemeDefinition } from '@specwright/server';
import {
  ContractError,
  listOperations,
  operationTable,
  resolve,
  type Document,
  type Reference,
  type SourceDocument,
} from '@specwright/contract/document';
import { isTokenScheme } from '../testing/contract/refused-credentials.ts';

/** The plans of @specwright/accounts. */
const PLANS = ['free', 'pro', 'business', 'enterprise'];

/** Whether `accountKey` of @specwright/accounts finds a key in the credentials of a scheme. */
export function canCarryKey(document: Document, scheme: string): boolean {
  const reference = document.components?.securitySchemes?.[scheme] as Reference | SecuritySchemeDefinition | undefined;
  if (reference === undefined) return false;
  const definition = resolve<SecuritySchemeDefinition>(document, reference);
  return definition.type !== 'http' || ['bearer', 'basic'].includes(definition.scheme.toLowerCase());
}

/** The schemes whose credentials are access tokens of an identity provider, of those that operations require. */
export function tokenSchemes(document: Document, schemes = requiredSchemes(document)): string[] {
  return schemes.filter((scheme) => {
    const reference = document.components?.securitySchemes?.[scheme] as Reference | SecuritySchemeDefinition | undefined;
    return reference !== undefined && isTokenScheme(resolve<SecuritySchemeDefinition>(document, reference));
  });
}

/** The schemes that operations require. */
export const requiredSchemes = (document: Document): string[] => [
  ...new Set(Object.values(operationTable(document)).flatMap(({ security }) => security.flat())),
];

/** @throws ContractError, with what to write, if no operation could be called with an API key, or a plan has no limits. */
export function assertAccounts(source: SourceDocument): void {
  const { document, file, locate } = source;
  const schemes = requiredSchemes(document);
  const refuse = (path: (string | number)[], message: string): never => {
    throw new ContractError(file, [{ ...locate(path), message }]);
  };
  if (listOperations(document).length === 0) refuse(['paths'], '--accounts needs an operation that requires credentials: there is none');
  if (schemes.length === 0)
    refuse(
      ['components', 'securitySchemes'],
      '--accounts needs a security scheme that operations require: add components.securitySchemes and security to the document, or leave --accounts out',
    );
  if (!schemes.some((scheme) => canCarryKey(document, scheme)))
    refuse(
      ['components', 'securitySchemes'],
      `--accounts needs a security scheme that can carry an API key (apiKey, http bearer or basic, oauth2, openIdConnect); required are only: ${schemes.join(', ')}`,
    );
  const plans = (document['x-rate-limit-plans'] as { plans?: Record<string, unknown> } | undefined)?.plans;
  const missing = plans === undefined ? [] : PLANS.filter((plan) => !Object.hasOwn(plans, plan));
  if (missing.length > 0) refuse(['x-rate-limit-plans', 'plans'], `--accounts needs limits for its plans; missing: ${missing.join(', ')}`);
}
