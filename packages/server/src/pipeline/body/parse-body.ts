/** Pipeline step: reads and parses the body, after the steps that may refuse the caller. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { bodyKind, declaredType, type BodyKind } from '../../contract/requests/media-types.ts';
import type { JsonPath } from '../../contract/requests/json-tokens.ts';
import type { ContractOperation } from '../../contract/load-contract.ts';
import { FrameworkError } from '../../errors.ts';
import type { Exchange, Sets, Step } from '../exchange.ts';
import { parseJson } from './parse-json.ts';
import { bytesOfParsedBody, wasRead } from './parsed-body.ts';
import { hasBody } from './unread-body.ts';

/**
 * The media type must be one that the operation declares; JSON must be in UTF-8 (RFC 8259, section 8.1), and so must all
 * other text. What is neither JSON nor text is handed on as it came.
 *
 * @param maxBytes the largest body without `x-body-limit`, in bytes after decompression. @param whileReading is told when it has
 *   to wait for the client. @param warnOfParsedBody is told of a body that was read before.
 * @returns `undefined` for an operation without a `requestBody`. The step throws AppError unsupported_content_type,
 *   body_too_large, invalid_json; invalid_request for a required body of no bytes.
 */
export function parseBody(
  { body, bodyLimit, isBigIntegerAt }: ContractOperation,
  maxBytes: number,
  whileReading: WhileReading,
  warnOfParsedBody: (exchange: Exchange) => void,
): Step<'type' | 'body'> | undefined {
  if (body === null) return undefined;
  const limit = bodyLimit ?? maxBytes;
  const kinds = new Map(body.types.map((type) => [type, bodyKind(type)]));
  const typeOf = createTypeReader(body.types);
  const accept = (exchange: Sets<'type' | 'body'>, bytes: Buffer | undefined): void => {
    // A chunked body may turn out to have no bytes.
    if (bytes === undefined || bytes.length === 0) {
      if (body.required) throw new FrameworkError('invalid_request', 'body is required');
      exchange.type = undefined;
      return;
    }
    const { type = '' } = exchange;
    exchange.body = decodeBody(bytes, kinds.get(type) ?? 'bytes', (path) => isBigIntegerAt(type, path));
  };
  return (exchange) => {
    if (!hasBody(exchange)) return accept(exchange, undefined);
    const decompress = acceptHead(exchange, typeOf, limit);
    if (wasRead(exchange)) {
      const bytes = bytesOfParsedBody(exchange, exchange.type ?? '');
      warnOfParsedBody(exchange);
      if (bytes.length > limit) throw bodyTooLarge(limit);
      return accept(exchange, bytes);
    }
    if (decompress === undefined && exchange.request.complete) return accept(exchange, readComplete(exchange, limit));
    return readAll(exchange, limit, decompress, whileReading).then((bytes) => accept(exchange, bytes));
  };
}

/** A client that sends slowly must not hold what other requests wait for. */
export interface WhileReading {
  readonly begin: (exchange: Exchange) => void;
  /** A promise if the request has to wait until it may go on. */
  readonly end: (exchange: Exchange) => void | Promise<void>;
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
    if (type === undefined || (bodyKind(type) !== 'bytes' && !isCharsetUtf8(given ?? ''))) {
      const message = `header/Content-Type must be ${types.join(' or ')}${given === undefined ? '' : `, not ${given.slice(0, 200)}`}`;
      throw new FrameworkError('unsupported_content_type', message);
    }
    lastGiven = given;
    lastType = type;
    return type;
  };
}

/** Refuses a body by the fields that announce it. @returns how it has to be decompressed. */
function acceptHead(exchange: Sets<'type'>, typeOf: ReadType, maxBytes: number): Decompress | undefined {
  const { headers } = exchange.request;
  // The contract's own spelling: nothing that a client invents is kept by the validator.
  exchange.type = typeOf(headers['content-type']);
  // Refused before a byte is read (RFC 9110, section 15.5.14).
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  const decompress = DECOMPRESS.get(encoding);
  if (decompress === undefined && encoding !== 'identity')
    throw new FrameworkError('unsupported_content_type', 'header/Content-Encoding must be gzip, deflate, br or identity');
  return decompress;
}

/** Reads what has arrived already, as most bodies have by now. */
function readComplete({ request }: Exchange, maxBytes: number): Buffer {
  const bytes = (request.read() ?? NO_BYTES) as Buffer;
  if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
  return bytes;
}

async function readAll(
  exchange: Exchange,
  maxBytes: number,
  decompress: Decompress | undefined,
  whileReading: WhileReading,
): Promise<Buffer> {
  // What came in one packet with the headers is parsed before the next microtask.
  await Promise.resolve();
  const bytes = exchange.request.complete ? readComplete(exchange, maxBytes) : await readLater(exchange, maxBytes, whileReading);
  if (decompress === undefined) return bytes;
  return decompress(bytes, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBytes);
    throw new FrameworkError('invalid_request', `body cannot be decompressed: ${message}`, { cause });
  });
}

async function readLater(exchange: Exchange, maxBytes: number, { begin, end }: WhileReading): Promise<Buffer> {
  if (exchange.request.destroyed) throw truncated();
  begin(exchange);
  const bytes = await read(exchange, maxBytes);
  await end(exchange);
  return bytes;
}

const NO_BYTES = Buffer.alloc(0);

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Bytes on the wire count too: no body is smaller than it is compressed by more than a few bytes. */
const DECOMPRESS = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

const bodyTooLarge = (maxBytes: number) => new FrameworkError('body_too_large', `the body is larger than ${maxBytes} bytes`);

const truncated = () => new FrameworkError('invalid_request', 'body is shorter or longer than Content-Length says');

function isCharsetUtf8(type: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)"?/i.exec(type)?.[1];
  return charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase());
}

/** The bytes of a body as they are sent. */
function read({ request }: Exchange, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBytes) end(() => reject(bodyTooLarge(maxBytes)));
    };
    const onEnd = () => end(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onClose = () => end(() => reject(truncated()));
    const end = (resolveOrReject: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolveOrReject();
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** JSON as its value, text and forms as a string, anything else as it came. */
function decodeBody(bytes: Buffer, kind: BodyKind, isBigInteger: (path: JsonPath) => boolean): unknown {
  if (kind === 'bytes') return bytes;
  if (!isUtf8(bytes)) throw new FrameworkError(kind === 'json' ? 'invalid_json' : 'invalid_request', 'body is not UTF-8');
  // A byte order mark is ignored (RFC 8259, section 8.1).
  const text = bytes.toString().replace(/^\uFEFF/, '');
  return kind === 'json' ? parseJson(text, isBigInteger) : text;
}
