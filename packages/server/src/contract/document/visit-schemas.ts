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

/** The sections of `components` whose parts are visited. */
export type ComponentSection = 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'links';

/** What to call for each object of a kind. */
export interface DocumentVisitor {
  readonly schema?: Visit<Schema>;
  readonly mediaType?: Visit<MediaType>;
  readonly parameter?: Visit<Parameter>;
  readonly header?: Visit<Header>;
  readonly link?: Visit<Link>;
  /** A `$ref`, and the section whose components may be used where it is. */
  readonly reference?: (target: string, path: DocumentPath, section: ComponentSection) => void;
}

/** Calls `visit` for every schema of the document. */
export const visitSchemas = (document: Document, visit: Visit<Schema>): void => visitDocument(document, { schema: visit });

/**
 * Visits the objects of a document, parents before children. References are not followed, because their targets are
 * visited where they are defined; a document that is not quite OpenAPI is visited as far as it can be read.
 */
export function visitDocument(document: Document, visitor: DocumentVisitor): void {
  /** Visits an object, or names the target of a reference. */
  const one = <T>(value: unknown, path: DocumentPath, visit: Visit<T>): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    const section = sectionOf.get(visit);
    if (typeof $ref === 'string' && section !== undefined) visitor.reference?.($ref, path, section);
    if (!('$ref' in value)) visit(value as T, path);
  };
  const each = <T>(values: unknown, path: DocumentPath, visit: Visit<T>): void => {
    if (typeof values !== 'object' || values === null) return;
    for (const [key, value] of Object.entries(values)) one(value, [...path, Array.isArray(values) ? Number(key) : key], visit);
  };
  const schema: Visit<Schema> = (value, path) => {
    visitor.schema?.(value, path);
    for (const key of ['items', 'additionalProperties', 'not']) one(value[key], [...path, key], schema);
    for (const key of ['allOf', 'oneOf', 'anyOf', 'properties']) each(value[key], [...path, key], schema);
  };
  const mediaType: Visit<MediaType> = (value, path) => {
    visitor.mediaType?.(value, path);
    one(value.schema, [...path, 'schema'], schema);
  };
  const parameter: Visit<Parameter> = (value, path) => {
    visitor.parameter?.(value, path);
    one(value.schema, [...path, 'schema'], schema);
    each(value.content, [...path, 'content'], mediaType);
  };
  const header: Visit<Header> = (value, path) => {
    visitor.header?.(value, path);
    one(value.schema, [...path, 'schema'], schema);
    each(value.content, [...path, 'content'], mediaType);
  };
  const link: Visit<Link> = (value, path) => visitor.link?.(value, path);
  const requestBody: Visit<RequestBody> = (value, path) => each(value.content, [...path, 'content'], mediaType);
  const response: Visit<Response> = (value, path) => {
    each(value.headers, [...path, 'headers'], header);
    each(value.content, [...path, 'content'], mediaType);
    each(value.links, [...path, 'links'], link);
  };
  const operation: Visit<OperationObject> = (value, path) => {
    each(value.parameters, [...path, 'parameters'], parameter);
    one(value.requestBody, [...path, 'requestBody'], requestBody);
    each(value.responses, [...path, 'responses'], response);
  };
  const pathItem: Visit<PathItem> = (value, path) => {
    each(value.parameters, [...path, 'parameters'], parameter);
    for (const method of METHODS) one(value[method], [...path, method], operation);
  };

  const sections = {
    schemas: schema,
    parameters: parameter,
    headers: header,
    responses: response,
    requestBodies: requestBody,
    links: link,
  };
  const sectionOf = new Map(Object.entries(sections).map(([name, visit]) => [visit as Visit<never>, name as ComponentSection]));
  each(document.paths, ['paths'], pathItem);
  const { components = {} } = document;
  for (const [name, visit] of Object.entries(sections)) each(components[name], ['components', name], visit as Visit<unknown>);
}
