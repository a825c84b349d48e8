/** The services of a server by the paths below which they are served, and the paths that an application has mounted them at. */
import type { Request } from 'express';
import type { ContractOperation } from '@specwright/contract';
import type { UntypedService } from './options.ts';

/** Segments of unreserved characters (RFC 3986, section 2.3), so that a base is compared as it is written. */
const BASE = /^(\/[\w.~-]+)*$/;

/**
 * Checks the bases of the services, and adds a service without operations for what is at the root, if there is none.
 *
 * @throws Error for a base that is not a path, and for one that two services have.
 */
export function withRoot(services: readonly UntypedService[]): readonly UntypedService[] {
  const [first] = services;
  if (first === undefined) throw new Error('a server needs a contract: give createServer at least one of `services`');
  const bases = services.map(({ base = '' }) => base);
  for (const [index, base] of bases.entries()) {
    if (!BASE.test(base)) throw new Error(`the base ${JSON.stringify(base)} is not a path: write it as "/v1", without a slash at the end`);
    if (bases.indexOf(base) !== index) throw new Error(`two services have the base "${base}": give each its own`);
  }
  const distinct = services.map((service, index) => withOwnOperations(service, services.slice(0, index)));
  if (bases.includes('')) return distinct;
  const use = (first.use ?? []).filter((one) => typeof one === 'function' || one.operations === undefined);
  const root: UntypedService = { ...first, base: '', contract: { ...first.contract, operations: [] }, handlers: {}, security: {}, use };
  return [...distinct, root];
}

/** A contract may be served twice, for different callers: its operations are told apart in metrics and in the log, which keep them by identity. */
function withOwnOperations(service: UntypedService, before: readonly UntypedService[]): UntypedService {
  const { contract } = service;
  if (!before.some((other) => other.contract === contract)) return service;
  const operations = contract.operations.map((operation) => Object.create(operation) as ContractOperation);
  return { ...service, contract: { ...contract, operations } };
}

/** @returns a function that finds the service of a path: the one with the longest base. */
export function findService<T extends { readonly base: string }>(services: readonly T[]): (path: string) => T {
  const byLength = [...services].sort((a, b) => b.base.length - a.base.length);
  const last = byLength.at(-1) as T;
  return (path) =>
    byLength.find(({ base }) => path.startsWith(base) && (path.length === base.length || path[base.length] === '/' || base === '')) ?? last;
}

/** The target of a request below the path that an application has mounted the handler at, and that path: what it has taken from the URL. */
export function mountedTarget({ baseUrl, originalUrl, url }: Partial<Pick<Request, 'baseUrl' | 'originalUrl'>> & Pick<Request, 'url'>): {
  readonly url: string;
  readonly mount: string;
} {
  // Others than Express keep the URL that they have cut (connect, middie).
  if (baseUrl === undefined) return { url, mount: originalUrl?.endsWith(url) ? originalUrl.slice(0, -url.length) : '' };
  // Express 4 takes a slash too many for a part of that path: `/v1//notes` is no `/notes`.
  const hasTaken = originalUrl?.length === baseUrl.length + 1 + url.length && originalUrl.startsWith('/', baseUrl.length);
  return { url: hasTaken && originalUrl.endsWith(url) ? `/${url}` : url, mount: baseUrl };
}

/** The path of each operation, as it is in requests. */
export const routesOf = (services: readonly UntypedService[]): Map<ContractOperation, string> =>
  new Map(
    services.flatMap(({ contract, base = '' }) => contract.operations.map((operation) => [operation, base + operation.path] as const)),
  );
