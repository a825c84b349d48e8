/** The parts of a document by what they are, each with its place. References are not followed: their targets stand somewhere too. */
import {
  METHODS,
  type Document,
  type Header,
  type MediaType,
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  type Response,
  type Schema,
} from '@specwright/server';

export type Keys = readonly (string | number)[];

export interface Node<T> {
  readonly value: T;
  readonly path: Keys;
}

/** OpenAPI 3.0.3, section 4.7.20. */
export interface Link {
  operationId?: string;
  operationRef?: string;
  parameters?: Record<string, unknown>;
}

export interface Nodes {
  readonly schemas: Node<Schema>[];
  readonly parameters: Node<Parameter>[];
  readonly headers: Node<Header>[];
  readonly mediaTypes: Node<MediaType>[];
  readonly links: Node<Link>[];
}

type Visit<T> = (value: T, path: Keys) => void;

export function collectNodes(document: Document): Nodes {
  const nodes: Nodes = { schemas: [], parameters: [], headers: [], mediaTypes: [], links: [] };

  const schema: Visit<Schema> = (value, path) => {
    nodes.schemas.push({ value, path });
    for (const key of ['items', 'additionalProperties', 'not']) one(value[key], [...path, key], schema);
    for (const key of ['allOf', 'oneOf', 'anyOf', 'properties']) each(value[key], [...path, key], schema);
  };
  const mediaType: Visit<MediaType> = (value, path) => {
    nodes.mediaTypes.push({ value, path });
    one(value.schema, [...path, 'schema'], schema);
  };
  const parameter: Visit<Parameter> = (value, path) => {
    nodes.parameters.push({ value, path });
    one(value.schema, [...path, 'schema'], schema);
    each(value.content, [...path, 'content'], mediaType);
  };
  const header: Visit<Header> = (value, path) => {
    nodes.headers.push({ value, path });
    one(value.schema, [...path, 'schema'], schema);
  };
  const link: Visit<Link> = (value, path) => void nodes.links.push({ value, path });
  const requestBody: Visit<RequestBody> = (value, path) => each(value.content, [...path, 'content'], mediaType);
  const response: Visit<Response & { links?: unknown }> = (value, path) => {
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

  each(document.paths, ['paths'], pathItem);
  const { components = {} } = document;
  const sections = {
    schemas: schema,
    parameters: parameter,
    headers: header,
    responses: response,
    requestBodies: requestBody,
    links: link,
  };
  for (const [name, visit] of Object.entries(sections)) each(components[name], ['components', name], visit as Visit<unknown>);
  return nodes;
}

/** Visits what is an object and no reference. */
function one<T>(value: unknown, path: Keys, visit: Visit<T>): void {
  if (typeof value === 'object' && value !== null && !('$ref' in value)) visit(value as T, path);
}

function each<T>(values: unknown, path: Keys, visit: Visit<T>): void {
  if (typeof values !== 'object' || values === null) return;
  for (const [key, value] of Object.entries(values)) one(value, [...path, Array.isArray(values) ? Number(key) : key], visit);
}
