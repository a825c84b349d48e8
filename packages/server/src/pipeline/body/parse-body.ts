/** Pipeline step: reads and parses the body, after the steps that may refuse the caller. */
import { bodyKind, declaredType, type BodyKind, type ContractOperation, parseFieldParameters, sentMethod } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import { hasBody } from '../../http/request-head.ts';
import type { WatchCaller } from '../authentication/caller-watch.ts';
import { lazyStep } from '../exchange-lifecycle.ts';
import type { Exchange, Sets } from '../exchange.ts';
import type { Step } from '../step.ts';
import { type BodyOptions, hasStreamedBodies, type ParsedBody } from './body-options.ts';
import { bodyRequired, bodyTooLarge } from './body-errors.ts';
import { decodeBody } from './decode-body.ts';
import { contentCodingOf, type ContentCodingName, readAll, readComplete, type ReadOptions, verifyDigest } from './read-body.ts';
import type { ParsedBodies } from './parsed-body.ts';
import type { StreamedBodies } from './streamed-bodies.ts';

/**
 * The media type must be one that the operation declares; JSON must be in UTF-8 (RFC 8259, section 8.1), and so must all
 * other text. What is neither JSON nor text is handed on as it came; what the contract declares as `x-stream` or as items is not
 * read, and of multipart what precedes its files.
 *
 * @param watchCaller is called once the body of a request comes in parts. @param parsedBodies those of a service that were read before.
 * @returns `undefined` for an operation without a `requestBody`. The step throws AppError unsupported_content_type,
 *   body_too_large, invalid_json; invalid_request for a required body of no bytes, and for one that is not what Content-Digest says;
 *   service_unavailable if too many bytes of other bodies are under way.
 */
export function parseBody(
  operation: ContractOperation,
  options: BodyOptions,
  watchCaller: () => WatchCaller,
  parsedBodies: ParsedBodies,
): Step<ParsedBody> | undefined {
  const { body } = operation;
  if (body === null) return undefined;
  const maxBytes = operation.bodyLimit ?? options.maxBodyBytes;
  const parseWith = (streamed?: StreamedBodies): Step<ParsedBody> => {
    const parser = new BodyParser(operation, body, { ...options, maxBytes }, parsedBodies, streamed);
    return (exchange) => parser.parse(exchange);
  };
  if (!hasStreamedBodies(operation)) return parseWith();
  return lazyStep(async () => {
    const { StreamedBodies } = await import('./streamed-bodies.ts');
    return parseWith(new StreamedBodies(operation, { ...options, maxBytes, watchCaller: watchCaller() }));
  });
}

class BodyParser {
  readonly #operation: ContractOperation;
  readonly #isRequired: boolean;
  /** A server MUST fail a QUERY without Content-Type (RFC 10008, section 2), though its content is not required, or of any type. */
  readonly #needsType: boolean;
  readonly #options: ReadOptions;
  readonly #parsedBodies: ParsedBodies;
  /** For an operation whose bodies may be streams. */
  readonly #streamed: StreamedBodies | undefined;
  readonly #kinds: ReadonlyMap<string, BodyKind>;
  readonly #typeOf: ReadType;

  constructor(
    operation: ContractOperation,
    { required, types }: DeclaredBody,
    options: ReadOptions,
    parsedBodies: ParsedBodies,
    streamed: StreamedBodies | undefined,
  ) {
    this.#operation = operation;
    this.#isRequired = required;
    this.#needsType = sentMethod(operation.method) === 'QUERY';
    this.#options = options;
    this.#parsedBodies = parsedBodies;
    this.#streamed = streamed;
    this.#kinds = new Map(types.map((type) => [type, bodyKind(type)]));
    this.#typeOf = createTypeReader(types, this.#needsType);
  }

  parse(exchange: Sets<ParsedBody>): void | Promise<void> {
    const { request } = exchange;
    const { headers } = request;
    const { maxBytes } = this.#options;
    this.#streamed?.begin(exchange);
    const hasDigest = headers['content-digest'] !== undefined;
    if (!hasBody(request)) return hasDigest ? verifyDigest(exchange).then(() => this.#acceptNone(exchange)) : this.#acceptNone(exchange);
    // The contract's own spelling: nothing that a client invents is kept by the validator.
    const type = (exchange.type = this.#typeOf(headers['content-type']));
    // Refused before a byte is read (RFC 9110, section 15.5.14).
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
    const encoding = headers['content-encoding'];
    const coding = encoding === undefined ? undefined : contentCodingOf(encoding);
    if (request.readableDidRead) return this.#parseAgain(exchange, type);
    if (this.#streamed?.has(type)) return this.#streamed.open(exchange, type, coding);
    if (coding === undefined && request.complete && !hasDigest) return this.#accept(exchange, readComplete(exchange, maxBytes));
    // What came in one packet with the headers is parsed before the next microtask.
    return SOON.then(() => this.#read(exchange, coding));
  }

  #read(exchange: Sets<ParsedBody>, coding: ContentCodingName | undefined): void | Promise<void> {
    const { maxBytes } = this.#options;
    const { complete, headers } = exchange.request;
    if (coding === undefined && complete && headers['content-digest'] === undefined)
      return this.#accept(exchange, readComplete(exchange, maxBytes));
    return readAll(exchange, this.#options, coding).then((bytes) => this.#accept(exchange, bytes));
  }

  /** A body that the host application has read before. */
  async #parseAgain(exchange: Sets<ParsedBody>, type: string): Promise<void> {
    const { bytesOfParsedBody, warnOfParsedBody } = await import('./parsed-body.ts');
    const bytes = bytesOfParsedBody(exchange, type);
    warnOfParsedBody(exchange, this.#parsedBodies);
    if (bytes.length > this.#options.maxBytes) throw bodyTooLarge(this.#options.maxBytes);
    const mayBeEmpty = this.#kinds.get(type) !== 'multipart';
    if (!this.#streamed?.has(type) || (mayBeEmpty && bytes.length === 0)) return this.#accept(exchange, bytes);
    return this.#streamed.openBytes(exchange, type, bytes);
  }

  #acceptNone(exchange: Sets<ParsedBody>): void {
    if (this.#needsType) this.#typeOf(exchange.request.headers['content-type']);
    this.#accept(exchange, undefined);
  }

  #accept(exchange: Sets<ParsedBody>, bytes: Buffer | undefined): void {
    // A chunked body may turn out to have no bytes.
    if (bytes === undefined || bytes.length === 0) {
      exchange.type = undefined;
      if (!this.#isRequired) return;
      const form = this.#emptyForm(exchange);
      if (form === undefined) throw bodyRequired();
      exchange.type = form;
      exchange.body = '';
      return;
    }
    const { type = '' } = exchange;
    exchange.body = decodeBody(bytes, this.#kinds.get(type) ?? 'bytes', (path) => this.#operation.isBigIntegerAt(type, path));
  }

  /** A form without fields has no bytes (URL Standard, section 5.2): a required one is there if the request names its media type. */
  #emptyForm({ request }: Pick<Exchange, 'request'>): string | undefined {
    const given = request.headers['content-type'];
    const type = given === undefined ? undefined : declaredType([...this.#kinds.keys()], given);
    return type !== undefined && this.#kinds.get(type) === 'form' ? type : undefined;
  }
}

const SOON = Promise.resolve();

type DeclaredBody = NonNullable<ContractOperation['body']>;

type ReadType = (contentType: string | undefined) => string;

/** @returns the declared type for a Content-Type. It throws AppError unsupported_content_type. */
function createTypeReader(types: readonly string[], isNeeded: boolean): ReadType {
  // Requests have few different ones.
  let lastGiven: string | undefined;
  let lastType = '';
  return (given) => {
    if (given !== undefined && given === lastGiven) return lastType;
    const type = isNeeded && given === undefined ? undefined : declaredType(types, given ?? '');
    if (type === undefined || (!['bytes', 'multipart'].includes(bodyKind(type)) && !isCharsetUtf8(given ?? ''))) {
      const message = `header/Content-Type must be ${types.join(' or ')}${given === undefined ? '' : `, not ${given.slice(0, 200)}`}`;
      throw new FrameworkError('unsupported_content_type', message);
    }
    lastGiven = given;
    lastType = type;
    return type;
  };
}

/** Also without parameters; not with two of them. */
function isCharsetUtf8(type: string): boolean {
  const parsed = parseFieldParameters(type, 'backslash');
  return parsed !== undefined && ['utf-8', 'utf8', 'us-ascii'].includes(parsed.parameters.get('charset')?.toLowerCase() ?? 'utf-8');
}
