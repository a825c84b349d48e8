/** Reads and checks `x-stream`: bodies of requests that a handler gets as a stream. */
import {
  parametersOf,
  requestMedia,
  resolve,
  responseMedia,
  operationKeys,
  pointerKeys,
  type DeclaredMedia,
  type Document,
  type DocumentOperation,
  type MediaType,
  type Schema,
  acceptsIdempotencyKey,
} from '../document/openapi.ts';
import { streamsFiles } from './multipart-bodies.ts';
import { sentSequence } from '../requests/item-bodies.ts';
import { bodyKind } from '../http/media-types.ts';
import { subschemasOf } from '../document/subschemas.ts';
import { patternOf, typesOf, valuesOf } from '../schema/model.ts';

/** The largest body of an operation whose bodies are all streams: 1 TiB. */
export const HIGHEST_STREAM_LIMIT = 1024 ** 4;

/** The media types of an operation's request that are declared as `x-stream: true`. */
export const streamedTypes = (document: Document, operation: DocumentOperation): string[] =>
  requestMedia(document, operation).flatMap(({ type, media }) => (media['x-stream'] === true ? [type] : []));

/** Whether no body of the operation is held in memory: of multipart only fields are, which have a bound of their own. */
export function isAllStreamed(document: Document, operation: DocumentOperation): boolean {
  const content = requestMedia(document, operation);
  return content.length > 0 && content.every((one) => isStreamed(one) || bodyKind(one.type) === 'multipart');
}

const isStreamed = ({ type, media }: DeclaredMedia): boolean => media['x-stream'] === true || sentSequence(type, media) !== undefined;

type Found = [path: (string | number)[], problem: string];

/** What is wrong with `x-stream` in an operation, each with its path in the document. */
export function* streamProblems(document: Document, operation: DocumentOperation): Generator<Found> {
  for (const { type, media, pointer } of requestMedia(document, operation)) {
    const problem = requestProblem(document, type, media);
    if (problem !== undefined) yield [[...pointerKeys(pointer), 'x-stream'], problem];
  }
  if (lacksDigest(document, operation))
    yield [
      [...operationKeys(operation), 'requestBody'],
      'a streamed body with an Idempotency-Key cannot be compared with that of a retry: require the header parameter Content-Digest, or read it before the handler (without x-stream, the schema of items, or x-multipart: stream)',
    ];
  for (const { media, pointer } of responseMedia(document, operation))
    if (media['x-stream'] !== undefined)
      yield [[...pointerKeys(pointer), 'x-stream'], 'x-stream is for the bodies of requests: remove it here'];
}

function requestProblem(document: Document, type: string, media: MediaType): string | undefined {
  const { 'x-stream': given, schema } = media;
  if (given === undefined) return undefined;
  if (typeof given !== 'boolean') return `x-stream must be true or false, not ${JSON.stringify(given)}`;
  if (!given) return undefined;
  const kind = bodyKind(type);
  if (kind === 'json' || kind === 'form' || kind === 'multipart')
    return `x-stream is for bodies that are passed on as bytes, and ${type} is parsed: remove it`;
  if (sentSequence(type, media) !== undefined)
    return `x-stream is for bodies that are passed on as bytes, and the items of ${type} are parsed: remove it`;
  if (schema === undefined) return undefined;
  const declared = resolve<Schema>(document, schema);
  const isOpaque =
    typesOf(declared).every((name) => name === 'string') &&
    valuesOf(declared) === undefined &&
    patternOf(declared) === undefined &&
    subschemasOf(declared).length === 0;
  return isOpaque
    ? undefined
    : 'the schema of a streamed body may only be `type: string` with a length: it is not in memory to be validated; remove x-stream or the rest of the schema';
}

/** A retry is recognised by what it asks for, which nobody has seen before a stream was read (RFC 9530, section 2). */
function lacksDigest(document: Document, operation: DocumentOperation): boolean {
  const hasStreams = requestMedia(document, operation).some(isStreamed) || streamsFiles(document, operation);
  if (!hasStreams || !acceptsIdempotencyKey(document, operation)) return false;
  return !parametersOf(document, operation).some(
    ({ name, in: location, required }) => location === 'header' && name.toLowerCase() === 'content-digest' && required === true,
  );
}
