/** What a caller has to have: the security requirements of an operation as texts, and whether former credentials still suffice. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, type OperationObject, pointerTo, resolveAt } from '@specwright/contract/document';
import { childPointer, type Fact, flatFacts } from './part.ts';

/** The new name of each scheme of which nothing else has changed. */
export function renamedSchemes(before: Document, after: Document): ReadonlyMap<string, string> {
  const [old, current] = [before, after].map((document) =>
    Object.entries(document.components?.securitySchemes ?? {}).map(([name, scheme]): Scheme => {
      const { value, pointer } = resolveAt<object>(document, scheme as object, pointerTo('components', 'securitySchemes', name));
      const facts = Object.entries(flatFacts(value, pointer)).filter(([key]) => key !== 'bearerFormat');
      return { name, facts: Object.fromEntries(facts.map(([key, fact]) => [key, fact.value])) };
    }),
  ) as [Scheme[], Scheme[]];
  const isIn = (list: readonly Scheme[], { name }: Scheme) => list.some((one) => one.name === name);
  const added = current.filter((one) => !isIn(old, one));
  const names = new Map<string, string>();
  for (const former of old) {
    const same = isIn(current, former) ? undefined : added.find(({ facts }) => isDeepStrictEqual(facts, former.facts));
    if (same === undefined) continue;
    names.set(former.name, same.name);
    added.splice(added.indexOf(same), 1);
  }
  return names;
}

interface Scheme {
  readonly name: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The alternatives, any one of which is sufficient (OpenAPI 3.0.3, section 4.7.10.1). @param names of schemes that are called otherwise now. */
export function securityFact(
  document: Document,
  { security }: OperationObject,
  parent: string,
  names: ReadonlyMap<string, string> = new Map(),
): Fact {
  const list = (security ?? document.security ?? []).map((requirement) =>
    Object.entries(requirement).map(([key, scopes]) => ({ key, name: names.get(key) ?? key, scopes })),
  );
  const texts = list.map((requirement) => {
    const schemes = requirement.map(({ name, scopes }) => (scopes.length > 0 ? `${name} (${scopes.toSorted().join(', ')})` : name));
    return schemes.length === 0 ? NO_CREDENTIALS : schemes.sort().join(' and ');
  });
  const pointer = security === undefined ? pointerTo('security') : childPointer(parent, 'security');
  /** Of a requirement: where it asks for what no other one does. */
  const at = (text: string, others: readonly string[]): string => {
    const known = others.flatMap(credentialsOf);
    const place = childPointer(pointer, texts.indexOf(text));
    const found = (list[texts.indexOf(text)] ?? []).flatMap(({ key, name, scopes }) => {
      const scope = scopes.findIndex((one) => !known.includes(`${name} ${one}`));
      return known.includes(name) && scope < 0 ? [] : [childPointer(place, key, ...(scope < 0 ? [] : [scope]))];
    });
    return found[0] ?? (texts.includes(text) ? place : pointer);
  };
  return { value: texts.length === 0 ? [NO_CREDENTIALS] : [...new Set(texts)].sort(), pointer, at };
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
const NO_CREDENTIALS = 'no credentials';

export const isOpenToAll = (security: unknown): boolean => Array.isArray(security) && security.every((one) => one === NO_CREDENTIALS);
