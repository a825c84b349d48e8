/** What a caller has to have: the security requirements of an operation as texts, and whether former credentials still suffice. */
import { type Document, type OperationObject, pointerTo } from '@specwright/contract/document';
import { childPointer, type Fact } from './part.ts';

/** The alternatives, any one of which is sufficient (OpenAPI 3.0.3, section 4.7.10.1). */
export function securityFact(document: Document, { security }: OperationObject, pointer: string): Fact {
  const list = security ?? document.security ?? [];
  const alternatives = list.map((requirement) => {
    const schemes = Object.entries(requirement).map(([name, scopes]) =>
      scopes.length > 0 ? `${name} (${scopes.toSorted().join(', ')})` : name,
    );
    return schemes.length === 0 ? NO_CREDENTIALS : schemes.sort().join(' and ');
  });
  const value = alternatives.length === 0 ? [NO_CREDENTIALS] : [...new Set(alternatives)].sort();
  return { value, pointer: security === undefined ? pointerTo('security') : childPointer(pointer, 'security') };
}

/** The credentials that were sufficient have to stay so. */
export const losesCredentials = (before: unknown, after: unknown): boolean => {
  const [old, current] = [before, after].map((list) => (Array.isArray(list) ? (list as string[]) : []).map(credentialsOf)) as [
    string[][],
    string[][],
  ];
  return old.some((former) => !current.some((needed) => needed.every((one) => former.includes(one))));
};
/** `key and oauth (read, write)`: each scheme, and each of its scopes. */
const credentialsOf = (alternative: string): string[] =>
  alternative === NO_CREDENTIALS
    ? []
    : alternative.split(' and ').flatMap((one) => {
        const [, name = one, scopes] = /^(\S+) \((.*)\)$/.exec(one) ?? [];
        return [name, ...(scopes ?? '').split(', ').flatMap((scope) => (scope === '' ? [] : [`${name} ${scope}`]))];
      });
export const NO_CREDENTIALS = 'no credentials';

export const isOpenToAll = (security: unknown): boolean => Array.isArray(security) && security.every((one) => one === NO_CREDENTIALS);
