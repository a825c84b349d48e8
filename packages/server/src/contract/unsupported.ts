/** What of a contract is not served as it is written, operation by operation, and what happens instead. It blocks nothing. */
import { RESERVED_OPERATION_IDS } from './assign-operation-ids.ts';
import type { SourceDocument } from './source-document.ts';
import { bodyKind } from './media-types.ts';
import { listOperations, resolve, valueAt, type DocumentOperation, type RequestBody, type Response } from './openapi.ts';
import { compilePattern } from './pattern.ts';
import { parsePathTemplate } from './path-template.ts';
import { walkSchemas } from './visit-schemas.ts';

export interface UnsupportedFeature {
  readonly line: number;
  readonly column: number;
  /** None for what stands in a component, which several operations may use. */
  readonly operationId: string | undefined;
  readonly feature: string;
  readonly behavior: string;
}

type Path = readonly (string | number)[];
type Found = readonly [at: Path, what: string, instead: string];

/** The notes of a document that has passed `checkDocument`, in the order of its lines. */
export function listUnsupported(source: SourceDocument): UnsupportedFeature[] {
  const { document } = source;
  const notes: UnsupportedFeature[] = [];
  const add = (operationId: string | undefined, [at, what, instead]: Found): void =>
    void notes.push({ ...source.locate(at), operationId, feature: what, behavior: instead });
  const reachable = new Map<string, string>();
  for (const place of listOperations(document)) {
    const here = ['paths', place.path, place.method];
    for (const found of [...ofId(source, place), ...ofPath(place, reachable), ...ofRequest(source, place), ...ofResponses(source, place)])
      add(place.id, [[...here, ...found[0]], found[1], found[2]]);
  }
  walkSchemas(document, (schema, path) => {
    const { pattern } = schema as { pattern?: unknown };
    if (pattern !== undefined && (typeof pattern !== 'string' || compilePattern(pattern) === undefined))
      add(undefined, [
        [...path, 'pattern'],
        `the pattern ${typeof pattern === 'string' ? pattern : JSON.stringify(pattern)} is not one of ECMAScript`,
        'values are not held against it',
      ]);
  });
  return notes.sort((a, b) => a.line - b.line || a.column - b.column);
}

function* ofId({ original }: SourceDocument, { id, path, method }: DocumentOperation): Generator<Found> {
  const given = (valueAt(original, ['paths', path, method]) as { operationId?: unknown } | undefined)?.operationId;
  if (given === undefined) yield [[], 'has no operationId', `it is called ${id}`];
  else if (RESERVED_OPERATION_IDS.includes(given as string))
    yield [
      ['operationId'],
      `has the operationId ${JSON.stringify(given)}, which every object of JavaScript has as a member`,
      `it is called ${id}`,
    ];
  else if (given !== id) yield [['operationId'], `shares the operationId ${JSON.stringify(given)}`, `it is called ${id}`];
}

function* ofPath({ id, path, method }: DocumentOperation, reachable: Map<string, string>): Generator<Found> {
  const { shape, query } = parsePathTemplate(path);
  const key = `${method} ${shape} ${JSON.stringify(query)}`;
  const first = reachable.get(key);
  if (first !== undefined) yield [[], `has the same method and path as ${first}`, `${first} is called`];
  else reachable.set(key, id);
  if (query.length > 0) yield [[], 'has a query in its path', 'it is called where the request has that query'];
}

function* ofRequest({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Found> {
  if (operation.callbacks !== undefined) yield [['callbacks'], 'callbacks', 'nothing calls back unless the handler does'];
  if (operation.requestBody === undefined) return;
  for (const type of Object.keys(resolve<RequestBody>(document, operation.requestBody).content)) {
    const kind = bodyKind(type);
    const given = { text: 'a string', bytes: 'a Buffer', json: undefined, form: undefined }[kind];
    if (given !== undefined) yield [['requestBody'], `a request body of ${type}`, `the handler gets ${given}, which nothing has validated`];
  }
}

function* ofResponses({ document }: SourceDocument, { operation }: DocumentOperation): Generator<Found> {
  for (const [status, reference] of Object.entries(operation.responses)) {
    for (const type of Object.keys(resolve<Response>(document, reference).content ?? {})) {
      if (bodyKind(type) !== 'json') {
        yield [['responses', status], `a response of ${type}`, 'the handler gives a string or a Buffer, sent without validation'];
      }
    }
    if (/^1/.test(status)) yield [['responses', status], `the status ${status}`, 'a final status has to be answered: this one is not sent'];
  }
}
