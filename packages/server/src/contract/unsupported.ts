/** Lists what of a contract is not served as written, and what happens instead. It blocks nothing. */
import { RESERVED_OPERATION_IDS } from './document/assign-operation-ids.ts';
import type { SourceDocument } from './document/source-document.ts';
import { bodyLimitOf, DEFAULT_MAX_BODY_BYTES } from './extensions/body-limit.ts';
import { defaultOf, schemasWithDefaults } from './schema/default-value.ts';
import { createErrorBodies } from './responses/error-body.ts';
import { bodyKind } from './requests/media-types.ts';
import {
  listOperations,
  operationKeys,
  resolve,
  valueAt,
  type Document,
  type DocumentOperation,
  type MediaType,
  type OperationObject,
  type RequestBody,
  type Response,
  type Schema,
} from './document/openapi.ts';
import { compilePattern } from './schema/pattern.ts';
import { parsePathTemplate, shapeWithoutFragment, type PathTemplate } from './document/path-template.ts';
import { visitSchemas, type DocumentPath } from './document/visit-schemas.ts';

/** A feature of a contract that is not served as written. */
export interface UnsupportedFeature {
  readonly line: number;
  readonly column: number;
  /** None for a feature of a component, which several operations may use. */
  readonly operationId: string | undefined;
  readonly feature: string;
  /** What the server does instead. */
  readonly behavior: string;
}

type Feature = readonly [path: DocumentPath, feature: string, behavior: string];

/** The unsupported features of a document that has passed `checkDocument`, in the order of its lines. */
export function listUnsupported(source: SourceDocument): UnsupportedFeature[] {
  const { document } = source;
  const features: UnsupportedFeature[] = [];
  const add = (operationId: string | undefined, [path, feature, behavior]: Feature): void =>
    void features.push({ ...source.locate(path), operationId, feature, behavior });
  const idsByRoute = routesOf(listOperations(document));
  for (const operation of listOperations(document)) {
    for (const [path, feature, behavior] of [
      ...operationIdFeatures(source, operation),
      ...pathFeatures(operation, idsByRoute),
      ...requestFeatures(source, operation),
      ...responseFeatures(source, operation),
    ])
      add(operation.id, [[...operationKeys(operation), ...path], feature, behavior]);
  }
  for (const [operationId, feature] of errorBodyFeatures(document)) add(operationId, feature);
  const inRequests = schemasWithDefaults(document);
  visitSchemas(document, (schema, path) => {
    const { pattern } = schema as { pattern?: unknown };
    if (schema.default !== undefined && inRequests.has(schema) && defaultOf(document, schema) === undefined)
      add(undefined, [
        [...path, 'default'],
        `the default ${JSON.stringify(schema.default)} is not valid for its schema`,
        'it is not filled in',
      ]);
    if (pattern !== undefined && (typeof pattern !== 'string' || compilePattern(pattern) === undefined))
      add(undefined, [
        [...path, 'pattern'],
        `the pattern ${typeof pattern === 'string' ? pattern : JSON.stringify(pattern)} is not an ECMAScript regular expression`,
        'values are not validated against it',
      ]);
  });
  return features.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** An operation without an id is served as written: only handlers need its name. */
function* operationIdFeatures({ original }: SourceDocument, { id, path, method }: DocumentOperation): Generator<Feature> {
  const given = (valueAt(original, operationKeys({ path, method })) as { operationId?: unknown } | undefined)?.operationId;
  const behavior = `it is called ${id}`;
  if (given === undefined) return;
  if (RESERVED_OPERATION_IDS.includes(given as string))
    yield [['operationId'], `has the operationId ${JSON.stringify(given)}, which every object of JavaScript has as a member`, behavior];
  else if (given !== id) yield [['operationId'], `shares the operationId ${JSON.stringify(given)}`, behavior];
}

function* pathFeatures({ id, path, method }: DocumentOperation, idsByRoute: Map<string, string>): Generator<Feature> {
  const template = parsePathTemplate(path);
  const first = idsByRoute.get(routeKey(method, template.shape, template)) ?? id;
  if (first !== id) yield [[], `has the same method and path as ${first}`, `${first} is called`];
  if (/^\/\{\d+\}$/.test(template.shape))
    yield [[], 'may be a path of the server itself', '/livez, /readyz, /docs, /openapi.yaml and /openapi.json are answered by the server'];
  const shorter = shapeWithoutFragment(template);
  if (template.fragment === '') return;
  const alone = shorter !== undefined && idsByRoute.get(routeKey(method, shorter, template)) === id;
  const [encoded, plain] = [
    encodeURI(path)
      .replaceAll('#', '%23')
      .replace(/%7B(.*?)%7D/g, '{$1}'),
    path.split('#')[0] ?? '',
  ];
  yield [[], `has a fragment in its path, which clients do not send`, `it is served at ${encoded}${alone ? ` and ${plain}` : ''}`];
}

/** The first operation of each route, in the order in which they are matched. */
function routesOf(operations: readonly DocumentOperation[]): Map<string, string> {
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

function* requestFeatures({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Feature> {
  if (operation.callbacks !== undefined) yield [['callbacks'], 'callbacks', 'no callback is sent unless the handler sends it'];
  if (operation.requestBody === undefined) return;
  yield* bodyLimitFeatures(document, operation);
  for (const [type, media] of Object.entries(resolve<RequestBody>(document, operation.requestBody).content)) {
    if (isOpaque(document, type, media)) continue;
    const value = { text: 'a string', bytes: 'a Buffer', json: undefined, form: undefined }[bodyKind(type)];
    if (value !== undefined) yield [['requestBody'], `a request body of ${type}`, `the handler gets ${value}, without validation`];
  }
}

/** A contract that allows more than is read. Lists and texts without bounds, which nearly all contracts have, say nothing. */
function* bodyLimitFeatures(document: Document, operation: OperationObject): Generator<Feature> {
  if (bodyLimitOf(document, operation) !== undefined) return;
  const { content } = resolve<RequestBody>(document, operation.requestBody ?? { content: {} });
  const allowed = Math.max(...Object.entries(content).map(([type, { schema }]) => largestText(document, type, schema)));
  if (allowed <= DEFAULT_MAX_BODY_BYTES) return;
  const size = allowed === Infinity ? 'files of any size' : `a text of ${allowed} characters`;
  yield [
    ['requestBody'],
    `a request body that may have ${size}`,
    `more than ${DEFAULT_MAX_BODY_BYTES} bytes are answered 413: set x-body-limit here, or MAX_BODY_BYTES in the environment`,
  ];
}

/** The longest text that a schema declares, in characters; Infinity for files. */
function largestText(document: Document, type: string, root: Schema | undefined): number {
  if (bodyKind(type) === 'bytes' && !/xml\s*(;|$)|^multipart\//i.test(type)) return Infinity;
  const visited = new Set<Schema>();
  const largest = (reference: Schema): number => {
    const schema = resolve<Schema>(document, reference);
    if (visited.has(schema)) return 0;
    visited.add(schema);
    if (schema.type === 'string') return Number(schema['maxLength'] ?? (schema.format === 'binary' ? Infinity : 0));
    const { properties = {}, items, additionalProperties: map, allOf = [], oneOf = [], anyOf = [] } = schema;
    const parts = [...Object.values(properties), ...allOf, ...oneOf, ...anyOf];
    if (items !== undefined) parts.push(items);
    if (typeof map === 'object') parts.push(map);
    return Math.max(0, ...parts.map(largest));
  };
  return root === undefined ? 0 : largest(root);
}

function* responseFeatures({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Feature> {
  for (const [status, reference] of Object.entries(operation.responses)) {
    for (const [type, media] of Object.entries(resolve<Response>(document, reference).content ?? {})) {
      if (bodyKind(type) !== 'json' && !isOpaque(document, type, media)) {
        yield [['responses', status], `a response of ${type}`, 'the handler gives a string or a Buffer, which is sent without validation'];
      }
    }
    if (/^1/.test(status)) yield [['responses', status], `the status ${status}`, 'it is not sent: only a final status is'];
  }
}

/** Operations that are alike are listed once: most contracts use the same errors everywhere. */
function errorBodyFeatures(document: Document): [operationId: string, feature: Feature][] {
  const errorBodyOf = createErrorBodies(document);
  const byStatuses = new Map<string, DocumentOperation[]>();
  for (const documentOperation of listOperations(document)) {
    const { operation } = documentOperation;
    const statuses = Object.keys(operation.responses).filter(
      (status) => /^[45]/.test(status) && !errorBodyOf(operation, Number(status.replace('XX', '99'))).hasMessage,
    );
    const key = statuses.join(', ');
    if (key !== '') byStatuses.set(key, [...(byStatuses.get(key) ?? []), documentOperation]);
  }
  return [...byStatuses].flatMap(([statuses, [first, ...others]]): [string, Feature][] => {
    if (first === undefined) return [];
    const more = others.length > 0 ? ` (and in ${others.length} other operation${others.length > 1 ? 's' : ''})` : '';
    const feature = `no place for the reason in the body of ${statuses}${more}`;
    return [[first.id, [[...operationKeys(first), 'responses'], feature, 'the reason is sent in code, message and status']]];
  });
}

/** Whether the contract says nothing of a body but that it is text or bytes, so that there is nothing to validate. */
function isOpaque(document: Document, type: string, { schema }: MediaType): boolean {
  if (/xml\s*(;|$)|^multipart\/|^application\/x-www-form-urlencoded/i.test(type) || bodyKind(type) === 'json') return false;
  if (schema === undefined) return true;
  const { type: kind = 'string', ...more } = resolve<Schema>(document, schema);
  return kind === 'string' && !VALIDATED.some((keyword) => more[keyword] !== undefined);
}

/** What restricts a string, or makes it something else. */
const VALIDATED = ['enum', 'pattern', 'minLength', 'maxLength', 'not', 'allOf', 'oneOf', 'anyOf', 'properties'];
