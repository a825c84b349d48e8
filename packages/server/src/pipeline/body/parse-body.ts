/** Pipeline step: reads and parses the body, after the steps that may refuse the caller. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { bodyKind, declaredType, type BodyKind, type JsonPath, type ContractOperation, parseFieldParameters } from '@specwright/contract';
import { FrameworkError } from '../../errors.ts';
import { verifyContentDigest } from '../../http/content-digest.ts';
import type { ExchangeLifecycle } from '../exchange-lifecycle.ts';
import type { Exchange, Sets, Step } from '../exchange.ts';
import type { BodyBudget } from './body-budget.ts';
import { bodyRequired, bodyTooLarge } from './body-errors.ts';
import { contentCodingOf, type ContentCodingName } from './content-codings.ts';
import { readItems } from './item-body.ts';
import { MAX_FIELDS_BYTES, type MultipartOptions, noFiles, readMultipart } from './multipart/read-multipart.ts';
import { parseJson } from './parse-json.ts';
import { bytesOfParsedBody, wasRead } from './parsed-body.ts';
import { readAll, readComplete, type ReadOptions } from './read-body.ts';
import type { BodyStreams } from './stream-body.ts';
import { hasBody } from './unread-body.ts';

/** What reading bodies needs. */
export interface BodyOptions {
  /** The largest body without `x-body-limit`, in bytes after decompression. */
  readonly maxBodyBytes: number;
  readonly lifecycle: Pick<ExchangeLifecycle, 'awaitClient' | 'received' | 'renew'>;
  readonly budget: BodyBudget;
  /** Of the bytes of files on disk. */
  readonly spoolBudget: BodyBudget;
  readonly streams: BodyStreams;
}

type ParsedBody = 'type' | 'body' | 'files' | 'bodyError' | 'upload' | 'bodyLease';

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
): Step<ParsedBody> | undefined {
  if (operation.body === null) return undefined;
  const parser = new BodyParser(operation, operation.body, options, warnOfParsedBody);
  return (exchange) => parser.parse(exchange);
}

/** Reads and parses the bodies of an operation. */
class BodyParser {
  readonly #operation: ContractOperation;
  readonly #isRequired: boolean;
  readonly #options: BodyOptions;
  readonly #warnOfParsedBody: (exchange: Exchange) => void;
  readonly #maxBytes: number;
  readonly #kinds: ReadonlyMap<string, BodyKind>;
  /** The media types whose bodies are handed on as streams. */
  readonly #streamed: ReadonlySet<string>;
  readonly #typeOf: ReadType;
  readonly #hasFiles: boolean;
  readonly #multipart: MultipartOptions | undefined;
  readonly #reading: ReadOptions;

  constructor(operation: ContractOperation, body: DeclaredBody, options: BodyOptions, warnOfParsedBody: (exchange: Exchange) => void) {
    const { multipart } = operation;
    const { maxBodyBytes, budget, spoolBudget, lifecycle } = options;
    const maxBytes = operation.bodyLimit ?? maxBodyBytes;
    this.#operation = operation;
    this.#isRequired = body.required;
    this.#options = options;
    this.#warnOfParsedBody = warnOfParsedBody;
    this.#maxBytes = maxBytes;
    this.#kinds = new Map(body.types.map((type) => [type, bodyKind(type)]));
    this.#streamed = new Set([...(body.streams ?? []), ...operation.itemTypes]);
    this.#typeOf = createTypeReader(body.types);
    this.#hasFiles = multipart !== undefined && multipart.files.size > 0;
    this.#multipart = multipart && {
      parts: multipart,
      maxFieldsBytes: Math.min(maxBytes, MAX_FIELDS_BYTES),
      budget,
      spoolBudget,
      maxBytes,
    };
    this.#reading = { maxBytes, lifecycle, budget };
  }

  parse(exchange: Sets<ParsedBody>): void | Promise<void> {
    const { multipart } = this.#operation;
    if (this.#hasFiles && multipart !== undefined) exchange.files = noFiles(multipart);
    if (!hasBody(exchange)) {
      const digest = exchange.request.headers['content-digest'];
      if (digest !== undefined) verifyContentDigest(String(digest), Buffer.alloc(0));
      return this.#accept(exchange, undefined);
    }
    const coding = acceptHead(exchange, this.#typeOf, this.#maxBytes);
    const type = exchange.type ?? '';
    if (wasRead(exchange)) return this.#parseAgain(exchange, type);
    if (this.#streamed.has(type)) return this.#openStream(exchange, type, coding);
    if (this.#multipart !== undefined && this.#kinds.get(type) === 'multipart')
      return this.#openMultipart(exchange, type, coding, this.#multipart);
    if (coding === undefined && exchange.request.complete) return this.#accept(exchange, readComplete(exchange, this.#maxBytes));
    return readAll(exchange, this.#reading, coding).then((bytes) => this.#accept(exchange, bytes));
  }

  /** A body that the host application has read before. */
  #parseAgain(exchange: Sets<ParsedBody>, type: string): void | Promise<void> {
    const bytes = bytesOfParsedBody(exchange, type);
    this.#warnOfParsedBody(exchange);
    if (bytes.length > this.#maxBytes) throw bodyTooLarge(this.#maxBytes);
    return this.#multipart !== undefined && this.#kinds.get(type) === 'multipart'
      ? readMultipart(exchange, Readable.from([bytes]), this.#multipart)
      : this.#accept(exchange, bytes);
  }

  #openStream(exchange: Sets<ParsedBody>, type: string, coding: ContentCodingName | undefined): void | Promise<void> {
    const heldBytes = this.#operation.itemTypes.includes(type) ? this.#options.maxBodyBytes : 0;
    const body = { type, maxBytes: this.#maxBytes, coding, isHandedOn: true, heldBytes };
    const opened = this.#options.streams.open(exchange, this.#operation, body);
    exchange.body = exchange.upload && this.#streamedBody(exchange, type, exchange.upload);
    return opened;
  }

  #openMultipart(
    exchange: Sets<ParsedBody>,
    type: string,
    coding: ContentCodingName | undefined,
    multipart: MultipartOptions,
  ): void | Promise<void> {
    const isHandedOn = this.#hasFiles && !multipart.parts.isSpooled;
    const opened = this.#options.streams.open(exchange, this.#operation, { type, maxBytes: this.#maxBytes, coding, isHandedOn });
    const upload = exchange.upload as unknown as Readable;
    return opened === undefined
      ? readMultipart(exchange, upload, multipart)
      : opened.then(() => readMultipart(exchange, upload, multipart));
  }

  #accept(exchange: Sets<'type' | 'body' | 'bodyError'>, bytes: Buffer | undefined): void {
    // A chunked body may turn out to have no bytes.
    if (bytes === undefined || bytes.length === 0) {
      if (this.#isRequired) throw bodyRequired();
      exchange.type = undefined;
      return;
    }
    const { type = '' } = exchange;
    if (this.#streamed.has(type)) exchange.body = this.#streamedBody(exchange, type, Readable.from([bytes], { objectMode: false }));
    else exchange.body = decodeBody(bytes, this.#kinds.get(type) ?? 'bytes', (path) => this.#operation.isBigIntegerAt(type, path));
  }

  /** A stream as the handler gets it: its bytes, or its items. */
  #streamedBody(exchange: Sets<'bodyError'>, type: string, source: Readable): unknown {
    const validator = this.#operation.itemsOf(type);
    if (validator === undefined) return source;
    const { lifecycle, maxBodyBytes } = this.#options;
    const onRefusal = (error: Error) => (exchange.bodyError = error);
    return readItems(source, { validator, maxItemBytes: maxBodyBytes, onNext: () => lifecycle.renew(exchange), onRefusal });
  }
}

type DeclaredBody = NonNullable<ContractOperation['body']>;

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
