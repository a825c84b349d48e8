/** Parts of `x-operation-defaults` that have no effect: entries, their responses and headers, and what operations opt out of. */
import { isDeepStrictEqual } from 'node:util';
import { didYouMean } from '../document/nearest-name.ts';
import {
  isObject,
  listOperations,
  operationAt,
  operationKeys,
  parametersOf,
  withOperation,
  type Document,
  type DocumentOperation,
} from '../document/openapi.ts';
import { applyOperationDefaults, matchesStatus } from './apply-operation-defaults.ts';
import {
  appliesTo,
  EXTENSION,
  isSameHeader,
  readOperationDefaults,
  readOptOut,
  type DefaultsCondition,
  type OperationDefaults,
} from './operation-defaults.ts';

interface UnmetDefault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * What is in the extension and changes nothing: a parameter that no operation has, each by itself, or else a whole condition, or else the
 * responses and headers that nothing takes; and the names that an operation opts out of without effect.
 *
 * @param written the document before the defaults are applied; @param document with the defaults applied, whose responses are all there are.
 */
export function unmetOperationDefaults(written: Document, document: Document): UnmetDefault[] {
  const operations = listOperations(written);
  const names = [...new Set(operations.flatMap((operation) => namesOf(written, operation)))];
  // What is wrong with the extension itself is reported where it is applied.
  const entries = readOperationDefaults(written, () => undefined);
  const { isUsed } = applyOperationDefaults(written);
  const unmet = entries.flatMap((entry): UnmetDefault[] => {
    const { index, when } = entry;
    const path = [EXTENSION, index, 'when'];
    const unknown = (when?.parameter ?? []).filter((name) => !names.some((other) => isSameHeader(other, name)));
    if (unknown.length > 0)
      return unknown.map((name) => ({
        path: [...path, 'parameter'],
        message: `no operation has a parameter ${name}${didYouMean(name, names)}`,
      }));
    const matching = operations.filter((operation) => appliesTo(written, entry, operation));
    if (when !== undefined && matching.length === 0)
      return [{ path, message: `no operation meets ${formatCondition(when)}: the entry has no effect` }];
    const statuses = matching.flatMap((one) => Object.keys(operationAt(document.paths[one.path], one.method)?.responses ?? {}));
    const missing = (when?.status ?? []).filter((pattern) => !statuses.some((status) => matchesStatus(pattern, status)));
    if (missing.length > 0)
      return missing.map((status) => ({
        path: [...path, 'status'],
        message: `no operation that meets the condition has a response ${status}`,
      }));
    return unusedParts(entry, isUsed);
  });
  return [...unmet, ...operations.flatMap((operation) => uselessOptOuts(written, operation, entries))];
}

/** Responses and headers that every operation has itself, opts out of, or takes from a later entry. */
function unusedParts({ index, responses, headers }: OperationDefaults, isUsed: (path: UnmetDefault['path']) => boolean): UnmetDefault[] {
  const instead = 'each declares it, opts out, or takes it from a later entry';
  const part = (key: string, name: string, message: string) => ({ path: [EXTENSION, index, key, name], message: `${message}: ${instead}` });
  return [
    ...Object.keys(responses).map((status) => part('responses', status, `no operation takes the response ${status} from here`)),
    ...Object.keys(headers).map((name) => part('headers', name, `no response takes the header ${name} from here`)),
  ].filter(({ path }) => !isUsed(path));
}

/** What an operation opts out of, though it would have the same responses without that. */
function uselessOptOuts(written: Document, operation: DocumentOperation, entries: readonly OperationDefaults[]): UnmetDefault[] {
  const value = operation.operation[EXTENSION];
  if (value === undefined) return [];
  const path = [...operationKeys(operation), EXTENSION];
  const applied = (optOut: unknown) => applyTo(written, operation, optOut);
  const optOut = readOptOut(value, [], () => undefined);
  if (optOut === 'all')
    return isDeepStrictEqual(applied(false), applied(undefined)) ? [{ path, message: `no default applies to this operation` }] : [];
  const without = isObject(value) && Array.isArray(value['without']) ? value['without'].map(String) : [];
  const effect = applied({ without });
  return without.flatMap((name, i): UnmetDefault[] => {
    const others = { without: without.filter((_, j) => j !== i) };
    if (!isDeepStrictEqual(effect, applied(others))) return [];
    return [{ path: [...path, 'without', i], message: `${name} has no effect: ${reasonOf(name, written, operation, entries)}` }];
  });
}

function applyTo(written: Document, { path, method, item, operation }: DocumentOperation, optOut: unknown): unknown {
  const paths = { [path]: withOperation(item, method, { ...operation, [EXTENSION]: optOut }) };
  return operationAt(applyOperationDefaults({ ...written, paths }).document.paths[path], method)?.responses;
}

function reasonOf(name: string, written: Document, operation: DocumentOperation, entries: readonly OperationDefaults[]): string {
  if (name in operation.operation.responses) return 'the operation declares this response itself';
  const matching = entries.filter((entry) => appliesTo(written, entry, operation));
  const headers = matching.flatMap((entry) => Object.keys(entry.headers));
  if (headers.some((header) => isSameHeader(header, name)))
    return 'the responses declare this header themselves, or are components that have it';
  const suggestion = /^\d/.test(name) ? '' : didYouMean(name, headers);
  return `no default adds it to this operation${suggestion}`;
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
