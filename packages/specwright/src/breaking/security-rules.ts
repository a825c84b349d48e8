/** Breaking changes of security: credentials that were sufficient for an operation have to stay so. */
import { listOperations, operationKeys, pointerTo, type Document, type DocumentOperation } from '@specwright/contract/document';
import type { DetectedChange, Comparison } from './change.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/**
 * Operations whose former credentials are no longer sufficient, counting what they inherit from the document (OpenAPI 3.0.3, section 4.7.10.1).
 * A change of the document's own list is reported once, however many operations inherit it.
 */
export function* securityChanges({ base, working }: Comparison): Generator<DetectedChange> {
  const now = new Map(listOperations(working.document).map((place) => [identity(place), place]));
  const reported = new Set<string>();
  for (const before of listOperations(base.document)) {
    const after = now.get(identity(before));
    if (after === undefined) continue;
    const accepted = effective(working.document, after);
    const refused = effective(base.document, before).find((former) => !accepted.some((needed) => isSufficient(former, needed)));
    if (refused === undefined) continue;
    const inherited = before.operation.security === undefined && after.operation.security === undefined;
    const sides = { base: listPointer(base.document, before, inherited), working: listPointer(working.document, after, inherited) };
    if (reported.has(JSON.stringify(sides))) continue;
    reported.add(JSON.stringify(sides));
    const message = `With ${formatRequirements([refused])} it could be called; now it takes ${formatRequirements(accepted)}.`;
    yield { rule: 'security-requirement-changed', message, ...sides };
  }
}

/** Renamed path parameters leave the path the same. */
const identity = ({ path, method }: DocumentOperation) => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;

/** The alternatives, any one of which is sufficient. A missing or empty list allows every caller. */
function effective(document: Document, { operation }: DocumentOperation): readonly Requirement[] {
  const list = operation.security ?? document.security ?? [];
  return list.length === 0 ? [{}] : list;
}

const isSufficient = (former: Requirement, needed: Requirement) =>
  Object.entries(needed).every(([scheme, scopes]) => scopes.every((scope) => former[scheme]?.includes(scope)) && scheme in former);

/** The pointer of the list; without one, of its parent. */
function listPointer(document: Document, { path, method, operation }: DocumentOperation, inherited: boolean): string {
  if (inherited) return document.security === undefined ? '#' : pointerTo('security');
  return pointerTo(...operationKeys({ path, method }), ...(operation.security === undefined ? [] : ['security']));
}

function formatRequirements(requirements: readonly Requirement[]): string {
  const one = (requirement: Requirement) => {
    const schemes = Object.entries(requirement).map(([name, scopes]) => (scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name));
    return schemes.length === 0 ? 'no key' : schemes.join(' and ');
  };
  return requirements.map(one).join(', or ');
}
