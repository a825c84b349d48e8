/** The bodies of an operation that can be validated: JSON, forms, multipart, and texts whose schema is that of a string. */
import { bodyKind } from '../http/media-types.ts';
import {
  requestMedia,
  resolve,
  type DeclaredMedia,
  type Document,
  type DocumentOperation,
  type MediaType,
  type Schema,
} from '../document/openapi.ts';
import { limitsOf, typesOf } from '../schema/model.ts';
import { createValueShape, type ValueShape } from '../codec/typed-values.ts';
import { remember } from '../remember.ts';

export interface DeclaredBody extends Pick<DeclaredMedia, 'type' | 'media'> {
  readonly schemaPointer: string | undefined;
}

export const bodiesOf = (document: Document, operation: DocumentOperation): DeclaredBody[] =>
  requestMedia(document, operation)
    .filter(({ type, media }) => ['json', 'form', 'multipart'].includes(bodyKind(type)) || isValidatedText(document, type, media))
    .map(({ type, media, pointer }) => ({ type, media, schemaPointer: media.schema && `${pointer}/schema` }));

/** A stream is not validated, and a text is no value of a schema for other types. */
export const isValidatedText = (document: Document, type: string, media: MediaType): boolean =>
  bodyKind(type) === 'text' &&
  media['x-stream'] !== true &&
  media.schema !== undefined &&
  typesOf(resolve<Schema>(document, media.schema)).includes('string');

export const createBodyShapes = (document: Document, operation: DocumentOperation): ((type: string) => ValueShape) =>
  remember((type) => {
    const { schema = {} } = bodiesOf(document, operation).find((body) => body.type === type)?.media ?? {};
    return createValueShape(document, schema);
  });

/** How many bytes a streamed body of a type may have by its schema: the length of what is not encoded counts octets (OpenAPI 3.1.1, section 4.8.14.4). */
export function streamLengths(document: Document, operation: DocumentOperation, type: string): { minLength: number; maxLength: number } {
  const { schema = {} } = requestMedia(document, operation).find((one) => one.type === type)?.media ?? {};
  const { minLength = 0, maxLength = Infinity } = limitsOf(resolve<Schema>(document, schema));
  return { minLength, maxLength };
}
