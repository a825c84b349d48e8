/** Exemptions of a contract walk: what is refused, does not come back or breaks a rule for a good reason. */
import type { Json, SpecOperation } from './document.ts';
import { hasPlace, type RequestSchemas } from './values/variants.ts';
import type { Walk } from './walk-options.ts';

type Exemptions = Pick<Walk<unknown>, 'exemptions' | 'exemptionsFile'>;

/** By what is exempt: a place in the request (`body/note`), a variant (`body/status=sold`), or the case of a rule (`filter status`). */
export function exemptionsOf({ exemptions = {} }: Exemptions, { id }: Pick<SpecOperation, 'id'>): ReadonlyMap<string, string> {
  const prefix = `${id} `;
  const own = Object.entries(exemptions).filter(([key]) => key.startsWith(prefix));
  return new Map(own.map(([key, reason]) => [key.slice(prefix.length), reason]));
}

/** The places in the request of an operation that are exempt. */
export const exemptPlacesOf = (walk: Exemptions, operation: SpecOperation, schemas: RequestSchemas, document: Json): string[] =>
  [...exemptionsOf(walk, operation).keys()].filter((name) => hasPlace(document, schemas, name));

/** Where they are written. */
export const exemptionsFileOf = ({ exemptionsFile = 'the exemptions of the walk' }: Exemptions): string => exemptionsFile;

/** The end of a fix: what to do if the failure is right. */
export const orExempt = (walk: Exemptions, { id }: Pick<SpecOperation, 'id'>, name: string): string =>
  `, or exempt "${id} ${name}" with the reason in ${exemptionsFileOf(walk)}`;

/** What is reported of an exemption that is not needed. @param why `it is accepted and comes back` */
export const needless = (walk: Exemptions, { id }: Pick<SpecOperation, 'id'>, name: string, why: string): string =>
  `"${id} ${name}" is exempt (${exemptionsOf(walk, { id }).get(name) ?? ''}), but ${why}. Remove it from ${exemptionsFileOf(walk)}`;
