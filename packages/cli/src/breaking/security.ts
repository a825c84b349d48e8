/** Breaks of who may call: what was enough to call an operation has to stay enough. */
import { listOperations, pointerTo, type Document, type DocumentOperation } from '@specwright/server';
import type { Break, Comparison } from './change.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/**
 * Operations whose former credentials no longer do, counting what they inherit from the document (OpenAPI 3.0.3, section 4.7.10.1).
 * A change of the document's own list is one break, however many operations inherit it.
 */
export function* securityBreaks({ base, working }: Comparison): Generator<Break> {
  const now = new Map(listOperations(working.document).map((place) => [identity(place), place]));
  const told = new Set<string>();
  for (const before of listOperations(base.document)) {
    const after = now.get(identity(before));
    if (after === undefined) continue;
    const accepted = effective(working.document, after);
    const refused = effective(base.document, before).find((held) => !accepted.some((needed) => isEnough(held, needed)));
    if (refused === undefined) continue;
    const inherited = before.operation.security === undefined && after.operation.security === undefined;
    const sides = { base: written(base.document, before, inherited), working: written(working.document, after, inherited) };
    if (told.has(JSON.stringify(sides))) continue;
    told.add(JSON.stringify(sides));
    const message = `With ${describe([refused])} it could be called; now it takes ${describe(accepted)}.`;
    yield { rule: 'security-requirement-changed', message, ...sides };
  }
}

/** A path parameter may have another name, and the path is still the same one. */
const identity = ({ path, method }: DocumentOperation) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;

/** The alternatives, any one of which lets a caller in. No list, and an empty one, let everybody in. */
function effective(document: Document, { operation }: DocumentOperation): readonly Requirement[] {
  const list = operation.security ?? document.security ?? [];
  return list.length === 0 ? [{}] : list;
}

const isEnough = (held: Requirement, needed: Requirement) =>
  Object.entries(needed).every(([scheme, scopes]) => scopes.every((scope) => held[scheme]?.includes(scope)) && scheme in held);

/** Where the list stands; if there is none, what it would stand in. */
function written(document: Document, { path, method, operation }: DocumentOperation, inherited: boolean): string {
  if (inherited) return document.security === undefined ? '#' : pointerTo('security');
  return pointerTo('paths', path, method, ...(operation.security === undefined ? [] : ['security']));
}

function describe(requirements: readonly Requirement[]): string {
  const one = (requirement: Requirement) => {
    const schemes = Object.entries(requirement).map(([name, scopes]) => (scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name));
    return schemes.length === 0 ? 'no key' : schemes.join(' and ');
  };
  return requirements.map(one).join(', or ');
}
