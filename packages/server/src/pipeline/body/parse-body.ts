/** Pipeline step: reads and parses the body, after the steps that may refuse the caller. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { bodyKind, declaredType, type BodyKind, type JsonPath, type ContractOperation, parseFieldParameters } from '@specwright/contract';
import { FrameworkError } from '../../errors.ts';
import { verifyContentDigest } from '../../http/content-digest.ts';
import type { Exchange, Sets, Step } from '../exchange.ts';
import type { BodyBudget } from './body-budget.ts';
import { bodyRequired, bodyTooLarge } from './body-errors.ts';
import { contentCodingOf, type ContentCodingName } from './content-codings.ts';
import { readItems } from './item-body.ts';
import { MAX_FIELDS_BYTES, noFiles, readMultipart } from './multipart/read-multipart.ts';
import { parseJson } from './parse-json.ts';
import { bytesOfParsedBody, wasRead } from './parsed-body.ts';
import { readAll, readComplete, type WhileReading } from './read-body.ts';
import type { BodyStreams } from './stream-body.ts';
import { hasBody } from './unread-body.ts';

/** What reading bodies needs. */
export interface BodyOptions {
  /** The largest body without `x-body-limit`, in bytes after decompression. */
  readonly maxBodyBytes: number;
  /** Is told when a body that is read whole has to wait for the client. */
  readonly whileReading: WhileReading;
  readonly budget: BodyBudget;
  /** Of the bytes of files on disk. */
  readonly spoolBudget: BodyBudget;
  readonly streams: BodyStreams;
  /** Is told when a handler asks for the next item of a body. */
  readonly onItem: (exchange: Exchange) => void;
}

/**
 * The media type must be one that the operation declares; JSON must be in UTF-8 (RFC 8259, section 8.1), and so must all
 * other text. What is neither JSON nor text is handed on as it came; what the contract declares as `x-stream` or as items is not
 * read, and of multipart what precedes its files.
 *
 * @param warnOfParsedBody is told of a body that was read before.
 * @returns `undefined` for an operation without a `requestBody`. The step throws AppError unsupported_content_type,
 *   body_too_large, invalid_json; invalid_request for a required body of no bytes, and for one that is not what Content-Digest says;
 *   service_unavailable if too many bytes of other bodies are under way.
 */
export function parseBody(
  operation: ContractOperation,
  options: BodyOptions,
  warnOfParsedBody: (exchange: Exchange) => void,
): Step<'type' | 'body' | 'files' | 'bodyError' | 'upload' | 'bodyLease'> | undefined {
  const { body, bodyLimit, isBigIntegerAt, multipart } = operation;
  if (body === null) return undefined;
  const { maxBodyBytes, whileReading, budget, spoolBudget, streams, onItem } = options;
  const maxBytes = bodyLimit ?? maxBodyBytes;
  const reading = { maxBytes, whileReading, budget };
  const kinds = new Map(body.types.map((type) => [type, bodyKind(type)]));
  const streamed = new Set([...(body.streams ?? []), ...operation.itemTypes]);
  /** A stream as what the handler gets. */
  const streamedBody = (exchange: Exchange & Sets<'bodyError'>, type: string, source: Readable): unknown => {
    const validator = operation.itemsOf(type);
    if (validator === undefined) return source;
    const onRefusal = (error: Error) => (exchange.bodyError = error);
    return readItems(source, { validator, maxItemBytes: maxBodyBytes, onNext: () => onItem(exchange), onRefusal });
  };
  const typeOf = createTypeReader(body.types);
  const hasFiles = multipart !== undefined && multipart.files.size > 0;
  const reads = multipart && { parts: multipart, maxFieldsBytes: Math.min(maxBytes, MAX_FIELDS_BYTES), budget, spoolBudget, maxBytes };
  const accept = (exchange: Sets<'type' | 'body' | 'bodyError'>, bytes: Buffer | undefined): void => {
    // A chunked body may turn out to have no bytes.
    if (bytes === undefined || bytes.length === 0) {
      if (body.required) throw bodyRequired();
      exchange.type = undefined;
      return;
    }
    const { type = '' } = exchange;
    if (streamed.has(type)) exchange.body = streamedBody(exchange, type, Readable.from([bytes], { objectMode: false }));
    else exchange.body = decodeBody(bytes, kinds.get(type) ?? 'bytes', (path) => isBigIntegerAt(type, path));
  };
  return (exchange) => {
    if (hasFiles) exchange.files = noFiles(multipart);
    if (!hasBody(exchange)) {
      const digest = exchange.request.headers['content-digest'];
      if (digest !== undefined) verifyContentDigest(String(digest), Buffer.alloc(0));
      return accept(exchange, undefined);
    }
    const coding = acceptHead(exchange, typeOf, maxBytes);
    if (wasRead(exchange)) {
      const bytes = bytesOfParsedBody(exchange, exchange.type ?? '');
      warnOfParsedBody(exchange);
      if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
      return reads !== undefined && kinds.get(exchange.type ?? '') === 'multipart'
        ? readMultipart(exchange, Readable.from([bytes]), reads)
        : accept(exchange, bytes);
    }
    const { type = '' } = exchange;
    if (streamed.has(type)) {
      const heldBytes = operation.itemTypes.includes(type) ? maxBodyBytes : 0;
      const opened = streams.open(exchange, operation, { type, maxBytes, coding, isHandedOn: true, heldBytes });
      exchange.body = exchange.upload && streamedBody(exchange, type, exchange.upload);
      return opened;
    }
    if (reads !== undefined && kinds.get(type) === 'multipart') {
      const isHandedOn = hasFiles && !multipart.isSpooled;
      const opened = streams.open(exchange, operation, { type, maxBytes, coding, isHandedOn });
      const upload = exchange.upload as unknown as Readable;
      return opened === undefined ? readMultipart(exchange, upload, reads) : opened.then(() => readMultipart(exchange, upload, reads));
    }
    if (coding === undefined && exchange.request.complete) return accept(exchange, readComplete(exchange, maxBytes));
    return readAll(exchange, reading, coding).then((bytes) => accept(exchange, bytes));
  };
}

type ReadType = (contentType: string | undefined) => string;

/** @returns the declared type for a Content-Type. It throws AppError unsupported_content_type. */
function createTypeReader(types: readonly string[]): ReadType {
  // Requests have few different ones.
  let lastGiven: string | undefined;
  let lastType = '';
  return (given) => {
    if (given !== undefined && given === lastGiven) return lastType;
    const type = declaredType(types, given ?? '');
    if (type === undefined || (!['bytes', 'multipart'].includes(bodyKind(type)) && !isCharsetUtf8(given ?? ''))) {
      const message = `header/Content-Type must be ${types.join(' or ')}${given === undefined ? '' : `, not ${given.slice(0, 200)}`}`;
      throw new FrameworkError('unsupported_content_type', message);
    }
    lastGiven = given;
    lastType = type;
    return type;
  };
}

/** Refuses a body by the fields that announce it. @returns how it has to be decompressed. */
function acceptHead(exchange: Sets<'type'>, typeOf: ReadType, maxBytes: number): ContentCodingName | undefined {
  const { headers } = exchange.request;
  // The contract's own spelling: nothing that a client invents is kept by the validator.
  exchange.type = typeOf(headers['content-type']);
  // Refused before a byte is read (RFC 9110, section 15.5.14).
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  return contentCodingOf(headers['content-encoding']);
}

/** Also without parameters; not with two of them. */
function isCharsetUtf8(type: string): boolean {
  const parsed = parseFieldParameters(type, 'backslash');
  return parsed !== undefined && ['utf-8', 'utf8', 'us-ascii'].includes(parsed.parameters.get('charset')?.toLowerCase() ?? 'utf-8');
}

/** JSON as its value, text and forms as a string, anything else as it came. */
function decodeBody(bytes: Buffer, kind: BodyKind, isBigInteger: (path: JsonPath) => boolean): unknown {
  if (kind === 'bytes') return bytes;
  if (!isUtf8(bytes)) throw new FrameworkError(kind === 'json' ? 'invalid_json' : 'invalid_request', 'body is not UTF-8');
  // A byte order mark is ignored (RFC 8259, section 8.1).
  const text = bytes.toString().replace(/^\uFEFF/, '');
  return kind === 'json' ? parseJson(text, isBigInteger) : text;
}
