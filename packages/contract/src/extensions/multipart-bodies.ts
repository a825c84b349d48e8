/** Checks `x-multipart` and `x-max-bytes`, and what of a multipart body cannot be served. */
import {
  pointerKeys,
  requestMedia,
  resolve,
  responseMedia,
  type Document,
  type DocumentOperation,
  type MediaType,
  type Schema,
} from '../document/openapi.ts';
import { bodyKind } from '../http/media-types.ts';
import { formDataOf } from '../requests/multipart/field-decoder.ts';
import { multipartParts } from '../requests/multipart/multipart-parts.ts';
import { subschemasOf } from '../document/subschemas.ts';
import { extensionOf, formatOf, itemsOf } from '../schema/model.ts';
import { schemaShape } from '../schema/schema-shape.ts';

/** Whether the handler of an operation gets files while they arrive, so that what they are is not known before. */
export function streamsFiles(document: Document, operation: DocumentOperation): boolean {
  const formData = formDataOf(document, operation);
  if (formData === undefined) return false;
  const { files, isSpooled } = multipartParts(document, formData.media);
  return files.size > 0 && !isSpooled;
}

type Found = [path: (string | number)[], problem: string];

/** What is wrong with the multipart bodies of an operation, each with its path in the document. */
export function* multipartProblems(document: Document, operation: DocumentOperation): Generator<Found> {
  for (const { type, media, pointer } of requestMedia(document, operation)) {
    const path = pointerKeys(pointer);
    const problem = modeProblem(type, media);
    if (problem !== undefined) yield [[...path, 'x-multipart'], problem];
    if (bodyKind(type) === 'multipart') yield* fileProblems(document, media, path);
  }
  for (const { media, pointer } of responseMedia(document, operation))
    if (media['x-multipart'] !== undefined)
      yield [[...pointerKeys(pointer), 'x-multipart'], 'x-multipart is for the bodies of requests: remove it here'];
}

function modeProblem(type: string, { 'x-multipart': mode }: MediaType): string | undefined {
  if (mode === undefined) return undefined;
  if (bodyKind(type) !== 'multipart') return `x-multipart is for multipart/form-data, not for ${type}: remove it`;
  return ['spool', 'stream'].includes(mode as string) ? undefined : `x-multipart must be spool or stream, not ${JSON.stringify(mode)}`;
}

function* fileProblems(document: Document, { schema = {}, encoding = {} }: MediaType, path: (string | number)[]): Generator<Found> {
  const { properties, isOpen } = schemaShape(document, [schema]);
  for (const [name, schemas] of properties) {
    for (const given of schemas) {
      const property = resolve<Schema>(document, given);
      const file = resolve<Schema>(document, itemsOf(property) ?? property);
      const maxBytes = extensionOf(file, 'x-max-bytes');
      if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && Number(maxBytes) >= 1))
        yield [[...path, 'schema'], `x-max-bytes of ${name} must be a number of bytes from 1, not ${JSON.stringify(maxBytes)}`];
    }
  }
  for (const name of Object.keys(encoding))
    if (!properties.has(name) && !isOpen)
      yield [[...path, 'encoding', name], `encoding names ${name}, which is no property of the schema: correct the name, or remove it`];
}

/** The properties of a multipart body that are values with a file within them: a part is either a file or a value. */
export const partsWithFiles = (document: Document, { schema = {} }: MediaType): string[] =>
  [...schemaShape(document, [schema]).properties].flatMap(([name, schemas]) => {
    const parts = schemas.map((given) => resolve<Schema>(document, given)).map((part) => resolve<Schema>(document, itemsOf(part) ?? part));
    return parts.some((part) => subschemasOf(part).some(([, one]) => isBinary(document, one))) ? [name] : [];
  });

const isBinary = (document: Document, part: Schema): boolean => formatOf(resolve<Schema>(document, part)) === 'binary';
