/** Bodies that are not read before the handler is called, or not as a whole: streams, items and multipart. Loaded where an operation has one. */
import { Readable } from 'node:stream';
import { bodyKind, type ContractOperation } from '@specwright/contract';
import { incomingOf, type Sets } from '../exchange.ts';
import type { ContentCodingName } from './read-body.ts';
import { readItems } from './item-body.ts';
import { MAX_FIELDS_BYTES, type MultipartOptions, noFiles, readMultipart } from './multipart/read-multipart.ts';
import type { BodyOptions, ParsedBody } from './body-options.ts';
import { ReadOnceItems } from './read-once.ts';
import type { BodyStreams } from './stream-body.ts';

type Options = Pick<BodyOptions, 'budget' | 'lifecycle' | 'maxBodyBytes' | 'spoolBudget'> & { readonly maxBytes: number };

export class StreamedBodies {
  readonly #operation: ContractOperation;
  readonly #options: Options;
  readonly #streams: BodyStreams;
  readonly #streamed: ReadonlySet<string>;
  readonly #multipart: MultipartOptions | undefined;

  constructor(operation: ContractOperation, options: Options, streams: BodyStreams) {
    const { body, itemTypes, multipart } = operation;
    const { maxBytes, budget, spoolBudget } = options;
    const maxFieldsBytes = Math.min(maxBytes, MAX_FIELDS_BYTES);
    this.#operation = operation;
    this.#options = options;
    this.#streams = streams;
    this.#streamed = new Set([...(body?.streams ?? []), ...itemTypes]);
    this.#multipart = multipart && { parts: multipart, maxFieldsBytes, budget, spoolBudget, maxBytes };
  }

  has(type: string): boolean {
    return this.#streamed.has(type) || (this.#multipart !== undefined && bodyKind(type) === 'multipart');
  }

  /** A body that is absent or of another type has no files. */
  begin(exchange: Sets<'incoming'>): void {
    const { multipart } = this.#operation;
    if (multipart !== undefined && multipart.files.size > 0) incomingOf(exchange).files = noFiles(multipart);
  }

  open(exchange: Sets<ParsedBody>, type: string, coding: ContentCodingName | undefined): void | Promise<void> {
    const { maxBytes, maxBodyBytes } = this.#options;
    if (this.#streamed.has(type)) {
      const heldBytes = this.#operation.itemTypes.includes(type) ? maxBodyBytes : 0;
      const opened = this.#streams.open(exchange, this.#operation, { type, maxBytes, coding, isHandedOn: true, heldBytes });
      const { stream } = incomingOf(exchange);
      exchange.body = stream && this.bodyOf(exchange, type, stream);
      return opened;
    }
    const multipart = this.#multipart as MultipartOptions;
    const isHandedOn = multipart.parts.files.size > 0 && !multipart.parts.isSpooled;
    const opened = this.#streams.open(exchange, this.#operation, { type, maxBytes, coding, isHandedOn });
    const upload = exchange.incoming?.stream as unknown as Readable;
    return opened === undefined
      ? readMultipart(exchange, upload, multipart)
      : opened.then(() => readMultipart(exchange, upload, multipart));
  }

  readParts(exchange: Sets<'body' | 'incoming'>, bytes: Buffer): Promise<void> {
    return readMultipart(exchange, Readable.from([bytes]), this.#multipart as MultipartOptions);
  }

  /** A stream as the handler gets it: its bytes, or its items. */
  bodyOf(exchange: Sets<'incoming'>, type: string, source: Readable): unknown {
    const validator = this.#operation.itemsOf(type);
    if (validator === undefined) return source;
    const { lifecycle, maxBodyBytes } = this.#options;
    const onRefusal = (error: Error) => (incomingOf(exchange).error = error);
    return new ReadOnceItems(
      readItems(source, { validator, maxItemBytes: maxBodyBytes, onNext: () => lifecycle.renew(exchange), onRefusal }),
    );
  }
}
