/** Writes `x-operation-defaults` out: a document in which each operation has the responses and headers that are said once for all. */
import {
  isObject,
  methodsOf,
  operationAt,
  operationKeys,
  pointerKeys,
  resolveAt,
  withOperation,
  type Document,
  type Header,
  type OperationObject,
  type PathItem,
  type Reference,
  type Response,
} from '../document/openapi.ts';
import {
  appliesTo,
  EXTENSION,
  isSameHeader,
  readOperationDefaults,
  readOptOut,
  type OperationDefaults,
  type OptOut,
} from './operation-defaults.ts';

type Keys = readonly (string | number)[];

/** A document without `x-operation-defaults`, which says the same. */
export interface AppliedDefaults {
  readonly document: Document;
  /** Where a part of it is written: its own path, or that of the entry or the component that it was copied from. */
  readonly writtenAt: (path: Keys) => Keys;
  /** Whether a response or a header of an entry, by its path, was added anywhere. */
  readonly isUsed: (path: Keys) => boolean;
  readonly problems: readonly (readonly [path: Keys, problem: string])[];
}

/**
 * Applies the defaults of a document. What an operation or a response says itself wins; of several entries, the last one.
 * Headers of an entry without condition are added to `components/responses`; to add others to a response that is a reference, the
 * operation gets a copy of it.
 *
 * @returns the document itself if it has none.
 */
export function applyOperationDefaults(document: Document): AppliedDefaults {
  if (!isObject(document) || !(EXTENSION in document)) return { document, writtenAt: (path) => path, isUsed: () => false, problems: [] };
  const problems: [path: Keys, problem: string][] = [];
  const report = (path: Keys, problem: string) => void problems.push([path, problem]);
  const defaults = readOperationDefaults(document, report);
  const origins = new Origins();
  const applied: Document = { ...document };
  delete applied[EXTENSION];

  const unconditional = headersOf(defaults.filter(({ when }) => when === undefined));
  const components = document.components?.['responses'];
  if (isObject(components)) {
    const responses = mapObject(components as Responses, (response, name) =>
      isInline(response) ? addHeaders(response, unconditional, ['components', 'responses', name], origins) : response,
    );
    applied.components = { ...document.components, responses };
  }
  if (isObject(document.paths)) {
    applied.paths = mapObject(document.paths, (item, path) => {
      if (!isObject(item)) return item;
      let copy: PathItem = { ...item };
      for (const method of methodsOf(item)) {
        const operation = operationAt(item, method);
        // An operation without responses is invalid, and has to stay so.
        if (!isObject(operation) || !isObject(operation.responses)) continue;
        const keys = operationKeys({ path, method });
        const optOut = readOptOut(operation[EXTENSION], keys, report);
        const own: OperationObject = { ...operation };
        delete own[EXTENSION];
        copy = withOperation(copy, method, own);
        if (optOut === 'all') continue;
        const matching = defaults.filter((entry) => appliesTo(document, entry, { id: '', path, method, item, operation }));
        own.responses = withDefaults(document, operation.responses, matching, optOut, keys, origins);
      }
      return copy;
    });
  }
  return { document: applied, writtenAt: (path) => origins.writtenAt(path), isUsed: (path) => origins.has(path), problems };
}

type Responses = OperationObject['responses'];
type Headers = Map<string, { readonly value: Header | Reference; readonly origin: Keys }>;

function withDefaults(
  document: Document,
  own: Responses,
  matching: readonly OperationDefaults[],
  without: Exclude<OptOut, 'all'>,
  keys: Keys,
  origins: Origins,
): Responses {
  const responses: Responses = {};
  for (const { index, responses: added } of matching) {
    for (const [status, response] of Object.entries(added)) {
      if (status in own || without.includes(status.toLowerCase())) continue;
      responses[status] = copyOf(response);
      origins.set([...keys, 'responses', status], [EXTENSION, index, 'responses', status]);
    }
  }
  return mapObject({ ...responses, ...own }, (response, status) => {
    const path = [...keys, 'responses', status];
    const entries = matching.filter(({ when }) => when?.status?.some((pattern) => matchesStatus(pattern, status)) ?? true);
    const headers = headersOf(entries, without);
    if (isInline(response)) return addHeaders(response, headers, path, origins);
    const target = resolveResponse(document, response, path);
    if (target === undefined) return response;
    // The component itself gets what is unconditional.
    const particular = headersOf(
      entries.filter(({ when }) => when !== undefined),
      without,
    );
    if ([...particular.keys()].every((name) => hasHeader(target.value, name))) return response;
    origins.set(path, pointerKeys(target.pointer));
    return addHeaders(copyOf(target.value), headers, path, origins);
  });
}

/** Whether a status, as a response is declared by it, is one of those that the pattern means: `2XX`. */
export const matchesStatus = (pattern: string, status: string) =>
  pattern === status || (pattern.endsWith('XX') && /^\d\d\d$/.test(status) && pattern[0] === status[0]);

function headersOf(entries: readonly OperationDefaults[], without: readonly string[] = []): Headers {
  const headers: Headers = new Map();
  for (const { index, headers: added } of entries) {
    for (const [name, value] of Object.entries(added)) {
      if (without.includes(name.toLowerCase())) continue;
      for (const former of headers.keys()) if (isSameHeader(former, name) && former !== name) headers.delete(former);
      headers.set(name, { value, origin: [EXTENSION, index, 'headers', name] });
    }
  }
  return headers;
}

function addHeaders(response: Response, headers: Headers, path: Keys, origins: Origins): Response {
  const added: NonNullable<Response['headers']> = {};
  for (const [name, { value, origin }] of headers) {
    if (hasHeader(response, name)) continue;
    added[name] = copyOf(value);
    origins.set([...path, 'headers', name], origin);
  }
  if (Object.keys(added).length === 0) return response;
  const { description, headers: own, ...rest } = response;
  // In the order in which people write them.
  return { ...(description !== undefined && { description }), headers: { ...added, ...own }, ...rest };
}

const hasHeader = ({ headers }: Response, name: string) => Object.keys(headers ?? {}).some((own) => isSameHeader(own, name));

const isInline = (response: Response | Reference): response is Response => isObject(response) && !('$ref' in response);

function resolveResponse(document: Document, response: Response | Reference, path: Keys) {
  try {
    const found = resolveAt<Response>(document, response, path.join('/'));
    return isObject(found.value) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** No two parts of a document are the same object: who changes one must not change the other. */
const copyOf = <T>(value: T): T => structuredClone(value);

const mapObject = <T>(object: Record<string, T>, map: (value: T, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

class Origins {
  readonly #paths = new Map<string, Keys>();

  set(path: Keys, origin: Keys): void {
    this.#paths.set(JSON.stringify(path.map(String)), origin);
  }

  has(origin: Keys): boolean {
    const key = JSON.stringify(origin);
    return [...this.#paths.values()].some((one) => JSON.stringify(one) === key);
  }

  writtenAt(path: Keys): Keys {
    for (let length = path.length; length > 0; length--) {
      const origin = this.#paths.get(JSON.stringify(path.slice(0, length).map(String)));
      if (origin !== undefined) return [...origin, ...path.slice(length)];
    }
    return path;
  }
}
