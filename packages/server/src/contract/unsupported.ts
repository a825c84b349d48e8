/** Lists what of a contract is not served as it is written, and what happens instead. It blocks nothing. */
import { RESERVED_OPERATION_IDS } from './assign-operation-ids.ts';
import type { SourceDocument } from './source-document.ts';
import { bodyKind } from './media-types.ts';
import { listOperations, resolve, valueAt, type DocumentOperation, type RequestBody, type Response } from './openapi.ts';
import { compilePattern } from './pattern.ts';
import { parsePathTemplate } from './path-template.ts';
import { visitSchemas, type DocumentPath } from './visit-schemas.ts';

/** A feature of a contract that is not served as it is written. */
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
  const idsByPath = new Map<string, string>();
  for (const operation of listOperations(document)) {
    for (const [path, feature, behavior] of [
      ...operationIdFeatures(source, operation),
      ...pathFeatures(operation, idsByPath),
      ...requestFeatures(source, operation),
      ...responseFeatures(source, operation),
    ])
      add(operation.id, [['paths', operation.path, operation.method, ...path], feature, behavior]);
  }
  visitSchemas(document, (schema, path) => {
    const { pattern } = schema as { pattern?: unknown };
    if (pattern !== undefined && (typeof pattern !== 'string' || compilePattern(pattern) === undefined))
      add(undefined, [
        [...path, 'pattern'],
        `the pattern ${typeof pattern === 'string' ? pattern : JSON.stringify(pattern)} is not an ECMAScript regular expression`,
        'values are not validated against it',
      ]);
  });
  return features.sort((a, b) => a.line - b.line || a.column - b.column);
}

function* operationIdFeatures({ original }: SourceDocument, { id, path, method }: DocumentOperation): Generator<Feature> {
  const given = (valueAt(original, ['paths', path, method]) as { operationId?: unknown } | undefined)?.operationId;
  const behavior = `it is called ${id}`;
  if (given === undefined) yield [[], 'has no operationId', behavior];
  else if (RESERVED_OPERATION_IDS.includes(given as string))
    yield [['operationId'], `has the operationId ${JSON.stringify(given)}, which every object of JavaScript has as a member`, behavior];
  else if (given !== id) yield [['operationId'], `shares the operationId ${JSON.stringify(given)}`, behavior];
}

function* pathFeatures({ id, path, method }: DocumentOperation, idsByPath: Map<string, string>): Generator<Feature> {
  const { shape, query } = parsePathTemplate(path);
  const key = `${method} ${shape} ${JSON.stringify(query)}`;
  const first = idsByPath.get(key);
  if (first !== undefined) yield [[], `has the same method and path as ${first}`, `${first} is called`];
  else idsByPath.set(key, id);
  if (query.length > 0) yield [[], 'has a query in its path', 'it is called for requests with that query'];
}

function* requestFeatures({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Feature> {
  if (operation.callbacks !== undefined) yield [['callbacks'], 'callbacks', 'no callback is sent unless the handler sends it'];
  if (operation.requestBody === undefined) return;
  for (const type of Object.keys(resolve<RequestBody>(document, operation.requestBody).content)) {
    const value = { text: 'a string', bytes: 'a Buffer', json: undefined, form: undefined }[bodyKind(type)];
    if (value !== undefined) yield [['requestBody'], `a request body of ${type}`, `the handler gets ${value}, without validation`];
  }
}

function* responseFeatures({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Feature> {
  for (const [status, reference] of Object.entries(operation.responses)) {
    for (const type of Object.keys(resolve<Response>(document, reference).content ?? {})) {
      if (bodyKind(type) !== 'json') {
        yield [['responses', status], `a response of ${type}`, 'the handler gives a string or a Buffer, which is sent without validation'];
      }
    }
    if (/^1/.test(status)) yield [['responses', status], `the status ${status}`, 'it is not sent: only a final status is'];
  }
}
