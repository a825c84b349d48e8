/** A document as its validators need it: the schema of a multipart body is that of its fields. */
import {
  listOperations,
  operationAt,
  resolve,
  withOperation,
  type Document,
  type DocumentOperation,
  type MediaType,
  type RequestBody,
} from '../../document/openapi.ts';
import { bodyKind } from '../../http/media-types.ts';
import { multipartParts } from './multipart-parts.ts';

/** @param document a model. @returns the document itself if no request has a multipart body. */
export function withFieldSchemas(document: Document): Document {
  const paths = { ...document.paths };
  let hasAny = false;
  for (const operation of listOperations(document)) {
    const { path, method } = operation;
    const media = formDataOf(document, operation);
    const item = paths[path];
    const given = operationAt(item, method);
    if (media === undefined || item === undefined || given?.requestBody === undefined) continue;
    hasAny = true;
    const body = resolve<RequestBody>(document, given.requestBody);
    const content = { ...body.content, [media.type]: { ...media.media, schema: multipartParts(document, media.media).fields } };
    paths[path] = withOperation(item, method, { ...given, requestBody: { ...body, content } });
  }
  return hasAny ? { ...document, paths } : document;
}

export function formDataOf(document: Document, { operation }: DocumentOperation): { type: string; media: MediaType } | undefined {
  if (operation.requestBody === undefined) return undefined;
  const { content } = resolve<RequestBody>(document, operation.requestBody);
  const [type, media] = Object.entries(content).find(([name]) => bodyKind(name) === 'multipart') ?? [];
  return type === undefined || media === undefined ? undefined : { type, media };
}
