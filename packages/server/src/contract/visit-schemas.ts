/** Visits a document: its schemas, and the objects that hold them, each with its path. */
import {
  METHODS,
  type Document,
  type Header,
  type Link,
  type MediaType,
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  type Schema,
} from './openapi.ts';

/** The keys from the root of a document to a part of it. */
export type DocumentPath = readonly (string | number)[];

type Visit<T> = (value: T, path: DocumentPath) => void;

/** What to call for each object of a kind. */
export interface DocumentVisitor {
  readonly schema?: Visit<Schema>;
  readonly mediaType?: Visit<MediaType>;
  readonly parameter?: Visit<Parameter>;
  readonly header?: Visit<Header>;
  readonly link?: Visit<Link>;
}

/** Calls `visit` for every schema of the document. */
export const visitSchemas = (document: Document, visit: Visit<Schema>): void => visitDocument(document, { schema: visit });

/**
 * Visits the objects of a document, parents before children. References are not followed, because their targets are
 * visited where they are defined; a document that is not quite OpenAPI is visited as far as it can be read.
 */
export function visitDocument(document: Document, visitor: DocumentVisitor): void {
  const schema: Visit<Schema> = (value, path) => {
    visitor.schema?.(value, path);
    for (const key of ['items', 'additionalProperties', 'not']) visitOne(value[key], [...path, key], schema);
    for (const key of ['allOf', 'oneOf', 'anyOf', 'properties']) visitEach(value[key], [...path, key], schema);
  };
  const mediaType: Visit<MediaType> = (value, path) => {
    visitor.mediaType?.(value, path);
    visitOne(value.schema, [...path, 'schema'], schema);
  };
  const parameter: Visit<Parameter> = (value, path) => {
    visitor.parameter?.(value, path);
    visitOne(value.schema, [...path, 'schema'], schema);
    visitEach(value.content, [...path, 'content'], mediaType);
  };
  const header: Visit<Header> = (value, path) => {
    visitor.header?.(value, path);
    visitOne(value.schema, [...path, 'schema'], schema);
    visitEach(value.content, [...path, 'content'], mediaType);
  };
  const link: Visit<Link> = (value, path) => visitor.link?.(value, path);
  const requestBody: Visit<RequestBody> = (value, path) => visitEach(value.content, [...path, 'content'], mediaType);
  const response: Visit<Response> = (value, path) => {
    visitEach(value.headers, [...path, 'headers'], header);
    visitEach(value.content, [...path, 'content'], mediaType);
    visitEach(value.links, [...path, 'links'], link);
  };
  const operation: Visit<OperationObject> = (value, path) => {
    visitEach(value.parameters, [...path, 'parameters'], parameter);
    visitOne(value.requestBody, [...path, 'requestBody'], requestBody);
    visitEach(value.responses, [...path, 'responses'], response);
  };
  const pathItem: Visit<PathItem> = (value, path) => {
    visitEach(value.parameters, [...path, 'parameters'], parameter);
    for (const method of METHODS) visitOne(value[method], [...path, method], operation);
  };

  visitEach(document.paths, ['paths'], pathItem);
  const { components = {} } = document;
  const sections = {
    schemas: schema,
    parameters: parameter,
    headers: header,
    responses: response,
    requestBodies: requestBody,
    links: link,
  };
  for (const [name, visit] of Object.entries(sections)) visitEach(components[name], ['components', name], visit as Visit<unknown>);
}

/** Visits an object that is not a reference. */
function visitOne<T>(value: unknown, path: DocumentPath, visit: Visit<T>): void {
  if (typeof value === 'object' && value !== null && !('$ref' in value)) visit(value as T, path);
}

function visitEach<T>(values: unknown, path: DocumentPath, visit: Visit<T>): void {
  if (typeof values !== 'object' || values === null) return;
  for (const [key, value] of Object.entries(values)) visitOne(value, [...path, Array.isArray(values) ? Number(key) : key], visit);
}
