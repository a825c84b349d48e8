/** Takes operations out of a document, for a service that does not serve them, with what names them. */
import { listOperations, operationAt, operationKeys, methodsOf, pointerKeys, resolve, valueAt, withOperation } from './openapi.ts';
import type { Document, Link, OperationObject, PathItem, Reference, Response } from './openapi.ts';
import { type Problem } from './problems.ts';

/**
 * Takes operations out of a document: with links to them, their limits, and their names as successors. A path without operations is not in it.
 *
 * @param ids the `operationId`s. @returns the same document for none.
 */
export function withoutOperations(document: Document, ids: ReadonlySet<string>): Document {
  if (ids.size === 0) return document;
  const paths = { ...document.paths };
  for (const { id, path, method, operation } of listOperations(document)) {
    const kept = ids.has(id) ? undefined : withoutNames(document, operation, ids);
    paths[path] = withOperation(paths[path] as PathItem, method, kept);
  }
  const isServed = (item: PathItem) => methodsOf(item).some((method) => operationAt(item, method) !== undefined);
  const isEmpty = (path: string) => isServed(document.paths[path] as PathItem) && !isServed(paths[path] as PathItem);
  return {
    ...document,
    ...withoutLimits(document['x-rate-limit-plans'], ids),
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => !isEmpty(path))),
    ...(document.components && { components: withoutComponents(document, document.components, ids) }),
  };
}

/** What cannot be taken out: names of no operation, and operations of which a part is used elsewhere. */
export function omissionProblems(document: Document, ids: ReadonlySet<string>): Problem[] {
  if (ids.size === 0) return [];
  const operations = listOperations(document);
  const unknown = [...ids].filter((id) => !operations.some((operation) => operation.id === id));
  const references = new Set<string>();
  JSON.stringify(withoutOperations(document, ids), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith('#/paths/')) references.add(value);
    return value;
  });
  return [
    ...unknown.map((id) => ({ message: `the operation ${id} of \`omit\` is not in the contract: correct its name, or remove it` })),
    ...[...references].flatMap((reference) =>
      operations
        .filter((operation) => ids.has(operation.id) && isWithin(pointerKeys(reference), operationKeys(operation)))
        .map(({ id }) => ({ message: `the operation ${id} of \`omit\` has ${reference}, which others use: move it to components` })),
    ),
  ];
}

const isWithin = (keys: readonly string[], folder: readonly string[]): boolean => folder.every((key, i) => keys[i] === key);

function withoutNames(document: Document, operation: OperationObject, ids: ReadonlySet<string>): OperationObject {
  const kept = { ...operation, responses: withoutLinks(document, operation.responses, ids) };
  if (ids.has(String(kept['x-deprecated-successor']))) delete kept['x-deprecated-successor'];
  return kept;
}

function withoutComponents(document: Document, components: NonNullable<Document['components']>, ids: ReadonlySet<string>) {
  const { responses, links } = components as { responses?: Responses; links?: Links };
  return {
    ...components,
    ...(responses && { responses: withoutLinks(document, responses, ids) }),
    ...(links && { links: keptLinks(document, links, ids) }),
  };
}

type Responses = OperationObject['responses'];
type Links = NonNullable<Response['links']>;

const withoutLinks = (document: Document, responses: Responses, ids: ReadonlySet<string>): Responses =>
  Object.fromEntries(
    Object.entries(responses).map(([name, response]: [string, Response | Reference]) => {
      if (!('links' in response) || response.links === undefined) return [name, response];
      return [name, { ...response, links: keptLinks(document, response.links, ids) }];
    }),
  );

const keptLinks = (document: Document, links: Links, ids: ReadonlySet<string>): Links =>
  Object.fromEntries(Object.entries(links).filter(([, link]) => !ids.has(targetOf(document, resolve<Link>(document, link)))));

/** The id of the operation that a link leads to; empty for one of another document. */
function targetOf(document: Document, { operationId, operationRef = '' }: Link): string {
  if (operationId !== undefined || !operationRef.startsWith('#/')) return operationId ?? '';
  return (valueAt(document, pointerKeys(operationRef)) as OperationObject | undefined)?.operationId ?? '';
}

/** Of `x-rate-limit-plans`: limits of single operations are in its `operations`. */
function withoutLimits(plans: unknown, ids: ReadonlySet<string>): Pick<Document, 'x-rate-limit-plans'> {
  const { operations } = (plans ?? {}) as { operations?: Readonly<Record<string, unknown>> };
  if (operations === undefined) return {};
  const kept = Object.entries(operations).filter(([id]) => !ids.has(id));
  return { 'x-rate-limit-plans': { ...(plans as object), operations: Object.fromEntries(kept) } };
}
