/** Entries of `x-operation-defaults` that have no effect: no operation or response meets their condition. */
import { didYouMean } from '../document/nearest-name.ts';
import { listOperations, parametersOf, type Document, type DocumentOperation } from '../document/openapi.ts';
import { matchesStatus } from './apply-operation-defaults.ts';
import { appliesTo, EXTENSION, isSameHeader, readOperationDefaults, type DefaultsCondition } from './operation-defaults.ts';

export interface UnmetDefault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * What is in the extension and applies to nothing: a parameter that no operation has, each by itself, or else a whole condition.
 *
 * @param written the document before the defaults are applied; @param document with the defaults applied, whose responses are all there are.
 */
export function unmetOperationDefaults(written: Document, document: Document): UnmetDefault[] {
  const operations = listOperations(written);
  const names = [...new Set(operations.flatMap((operation) => namesOf(written, operation)))];
  // What is wrong with the extension itself is reported where it is applied.
  return readOperationDefaults(written, () => undefined).flatMap((entry): UnmetDefault[] => {
    const { index, when } = entry;
    if (when === undefined) return [];
    const path = [EXTENSION, index, 'when'];
    const unknown = (when.parameter ?? []).filter((name) => !names.some((other) => isSameHeader(other, name)));
    if (unknown.length > 0)
      return unknown.map((name) => ({
        path: [...path, 'parameter'],
        message: `no operation has a parameter ${name}${didYouMean(name, names)}`,
      }));
    const matching = operations.filter((operation) => appliesTo(written, entry, operation));
    if (matching.length === 0) return [{ path, message: `no operation meets ${formatCondition(when)}: the entry has no effect` }];
    const statuses = matching.flatMap((one) => Object.keys(document.paths[one.path]?.[one.method]?.responses ?? {}));
    const missing = (when.status ?? []).filter((pattern) => !statuses.some((status) => matchesStatus(pattern, status)));
    return missing.map((status) => ({
      path: [...path, 'status'],
      message: `no operation that meets the condition has a response ${status}`,
    }));
  });
}

function namesOf(document: Document, operation: DocumentOperation): string[] {
  try {
    return parametersOf(document, operation).map(({ name }) => name);
  } catch {
    // A reference without a target, which is reported where it is.
    return [];
  }
}

const formatCondition = (when: DefaultsCondition): string =>
  Object.entries(when)
    .filter(([key, value]) => value !== undefined && key !== 'status')
    .map(([key, value]) => `${key}: ${[value].flat().join(' or ')}`)
    .join(', ');
