/** Finds what of the ids and the paths of operations is not served as written, and operations that no request reaches. */
import { RESERVED_OPERATION_IDS } from './reading/assign-operation-ids.ts';
import { operationKeys, valueAt, type DocumentOperation } from './document/openapi.ts';
import { parsePathTemplate, shapeWithoutFragment, type PathTemplate } from './document/path-template.ts';
import type { SourceDocument } from './reading/source-document.ts';
import { methodFeature } from './unsupported-constructs.ts';
import type { Feature } from './unsupported-feature.ts';

/** An operation without an id is served as written: only handlers need its name. */
export function* operationIdFeatures({ original }: SourceDocument, { id, path, method }: DocumentOperation): Generator<Feature> {
  const given = (valueAt(original, operationKeys({ path, method })) as { operationId?: unknown } | undefined)?.operationId;
  const behavior = `it is called ${id}`;
  if (given === undefined) return;
  if (RESERVED_OPERATION_IDS.includes(given as string))
    yield {
      path: ['operationId'],
      feature: `has the operationId ${JSON.stringify(given)}, which JavaScript has as a member of objects`,
      behavior,
      construct: 'an operationId that JavaScript has as a member of objects: the operation is called after its method and path',
      isReported: true,
    };
  else if (given === '')
    yield {
      path: ['operationId'],
      feature: 'has an empty operationId',
      behavior,
      construct: 'an empty operationId: the operation is called after its method and path',
    };
  else if (given !== id)
    yield {
      path: ['operationId'],
      feature: `shares the operationId ${JSON.stringify(given)}`,
      behavior,
      construct: 'an operationId of several operations: the later ones are called after their method and path',
    };
}

export function* pathFeatures({ id, path, method }: DocumentOperation, idsByRoute: Map<string, string>): Generator<Feature> {
  const template = parsePathTemplate(path);
  const first = idsByRoute.get(routeKey(method, template.shape, template)) ?? id;
  const unread = methodFeature(method);
  if (unread !== undefined) yield { path: [], ...unread };
  if (first !== id)
    yield {
      path: [],
      feature: `has the same method and path as ${first}`,
      behavior: `never reached: ${first} is called`,
      construct: 'an operation with the method and path of an earlier one: never reached, the earlier one is called',
      isUnreached: true,
      fix: 'give it another path, or remove it',
    };
  if (/^\/\{\d+\}$/.test(template.shape))
    yield {
      path: [],
      feature: 'may be a path of the server itself',
      behavior: '/livez, /readyz, /docs, /index.css, /openapi.yaml and /openapi.json are answered by the server',
    };
  const shorter = shapeWithoutFragment(template);
  if (template.fragment === '') return;
  const alone = shorter !== undefined && idsByRoute.get(routeKey(method, shorter, template)) === id;
  const [encoded, plain] = [
    encodeURI(path)
      .replaceAll('#', '%23')
      .replace(/%7B((?:[^%]|%(?!7[BD]))*)%7D/g, '{$1}'),
    path.split('#')[0] ?? '',
  ];
  yield {
    path: [],
    feature: 'has a fragment in its path, which clients do not send',
    behavior: `it is served at ${encoded}${alone ? ` and ${plain}` : ''}`,
    construct: 'a fragment in a path, which clients do not send: its # is served as %23',
  };
}

/** The first operation of each route, in the order in which they are matched. */
export function routesOf(operations: readonly DocumentOperation[]): Map<string, string> {
  const idsByRoute = new Map<string, string>();
  for (const shapeOf of [({ shape }: PathTemplate) => shape, shapeWithoutFragment])
    for (const { id, path, method } of operations) {
      const template = parsePathTemplate(path);
      const shape = shapeOf(template);
      const key = shape === undefined ? undefined : routeKey(method, shape, template);
      if (key !== undefined && !idsByRoute.has(key)) idsByRoute.set(key, id);
    }
  return idsByRoute;
}

const routeKey = (method: string, shape: string, { query }: PathTemplate) => `${method} ${shape} ${JSON.stringify(query)}`;
