/** The parts of a document by what they are, each with its path. */
import {
  visitDocument,
  type Document,
  type DocumentPath,
  type Header,
  type Link,
  type MediaType,
  type Parameter,
  type Schema,
} from '@specwright/contract/document';

export type Keys = DocumentPath;

export interface Node<T> {
  readonly value: T;
  readonly path: Keys;
}

export interface Nodes {
  readonly schemas: readonly Node<Schema>[];
  readonly parameters: readonly Node<Parameter>[];
  readonly headers: readonly Node<Header>[];
  readonly mediaTypes: readonly Node<MediaType>[];
  readonly links: readonly Node<Link>[];
}

export function collectNodes(document: Document): Nodes {
  const schemas: Node<Schema>[] = [];
  const parameters: Node<Parameter>[] = [];
  const headers: Node<Header>[] = [];
  const mediaTypes: Node<MediaType>[] = [];
  const links: Node<Link>[] = [];
  visitDocument(document, {
    schema: (value, path) => schemas.push({ value, path }),
    parameter: (value, path) => parameters.push({ value, path }),
    header: (value, path) => headers.push({ value, path }),
    mediaType: (value, path) => mediaTypes.push({ value, path }),
    link: (value, path) => links.push({ value, path }),
  });
  return { schemas, parameters, headers, mediaTypes, links };
}
