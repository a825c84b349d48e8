/** Sends items one by one: each validated, as fast as the client reads, until they end, the client goes away or the server stops. */
import { once } from 'node:events';
import { type ItemValidator, inBackground, stringifyJson } from '@specwright/contract';
import type { Exchange } from '../exchange.ts';
import type { AppError } from '@specwright/contract/runtime';
import type { WatchCaller } from '../authentication/caller-watch.ts';
import { closeWithClient } from '../http-server.ts';
import { type OpenStreams, reconnectMs } from './open-streams.ts';
import type { ItemIterator, ReplySource } from './reply-source.ts';

/** How long the head waits for the first item, whose error can still be an error of the contract, in ms. */
const FIRST_ITEM_WAIT_MS = 500;
/** Proxies close what is silent for longer (WHATWG HTML, section 9.2.7, names 15 s). */
const COMMENT_INTERVAL_MS = 15_000;

export interface SendItemsOptions {
  /** What is thrown for an item that breaks the contract; `undefined` if it is sent all the same. */
  readonly toError: (problems: readonly string[]) => Error | undefined;
  /** The body of an error as the contract has it. */
  readonly formatError: (error: unknown) => unknown;
  readonly streams: Pick<OpenStreams, 'assertOpen' | 'onStop'>;
  readonly watchCaller: WatchCaller;
  readonly begin: () => void;
}

type Result = IteratorResult<unknown>;

/**
 * Resolves when the head has been written, also that of items which end before the first one as the server stops.
 *
 * @throws what the first item fails with, if it fails soon; AppError service_unavailable once the server stops.
 */
export async function sendItems(exchange: Exchange, source: ReplySource, valid: ItemValidator, options: SendItemsOptions): Promise<void> {
  const { response } = exchange;
  if (exchange.request.method === 'HEAD') {
    options.begin();
    return void response.end();
  }
  options.streams.assertOpen(exchange);
  const sender = new ItemSender(exchange, valid, source, options);
  // Validated once, however late it comes: what fails later is seen by `run`.
  const first = sender.next();
  await soon([first, source.closed]);
  if (sender.refusal !== undefined) throw sender.refusal;
  if (exchange.isExpired || exchange.isClosed) return;
  source.isStreaming = true;
  options.begin();
  if (sender.isStopped) return sender.endStopped();
  // The client has the head before the first item.
  response.flushHeaders();
  inBackground(sender.run(first), exchange.log);
}

/** Waits for the first of them, but not for long. @throws what it fails with. */
async function soon(promises: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_ITEM_WAIT_MS).unref()));
  await Promise.race([...promises, later]).finally(() => clearTimeout(timer));
}

class ItemSender {
  /** Whether the server has stopped before the items have ended. */
  isStopped = false;
  /** Why its caller is no longer allowed to, if that was found before the head was written. */
  refusal: AppError | undefined = undefined;
  readonly #exchange: Exchange;
  readonly #valid: ItemValidator;
  readonly #source: ReplySource;
  readonly #iterator: ItemIterator;
  readonly #options: SendItemsOptions;
  readonly #format: (item: unknown) => string;
  #comments: NodeJS.Timeout | undefined = undefined;

  constructor(exchange: Exchange, valid: ItemValidator, source: ReplySource, options: SendItemsOptions) {
    this.#exchange = exchange;
    this.#valid = valid;
    this.#source = source;
    this.#iterator = source.openItems();
    this.#options = options;
    this.#format = itemFormat(valid);
    closeWithClient(exchange.request, exchange.response);
    exchange.onRelease(
      'response',
      options.watchCaller(exchange, (refusal) => this.#revoke(refusal)),
    );
    exchange.onRelease('response', () => clearInterval(this.#comments));
    exchange.onRelease(
      'response',
      options.streams.onStop(() => this.#stop()),
    );
  }

  /** @returns the text of the next item; `undefined` at the end. @throws what the items fail with; Error for an item that breaks the contract. */
  async next(): Promise<string | undefined> {
    return this.#textOf(await this.#iterator.next());
  }

  /** @returns `undefined` at the end. @throws Error for an item that breaks the contract. */
  #textOf(result: Result): string | undefined {
    if (result.done === true) return undefined;
    const { item, problems } = this.#valid.validateItem(result.value);
    const error = problems.length === 0 ? undefined : this.#options.toError(problems);
    if (error !== undefined) throw error;
    return this.#format(item);
  }

  /** @param first the text of the first item, which may not have come yet; `undefined` if there is none. */
  async run(first: Promise<string | undefined>): Promise<void> {
    const { response } = this.#exchange;
    if (this.#valid.sequence === 'events') this.#comments = setInterval(() => response.write(':\n\n'), COMMENT_INTERVAL_MS);
    try {
      let next = await first;
      while (next !== undefined) {
        if (this.#isOver()) return;
        this.#comments?.refresh();
        // A client that has gone reads no more: then `close` has ended the items.
        if (!response.write(next)) await once(response, 'drain', { signal: this.#exchange.signal });
        const result = await this.#iterator.next();
        if (this.#isOver()) return;
        next = this.#textOf(result);
      }
      if (!this.#isOver()) response.end();
    } catch (error) {
      if (!this.#isOver()) this.#fail(error);
    } finally {
      this.#close();
    }
  }

  /** It may be while something is waited for. A response is destroyed before it is closed. */
  #isOver(): boolean {
    return this.#source.isClosed || this.#exchange.isClosed;
  }

  /** Closes the items, also while the next one is waited for. */
  #close(): void {
    clearInterval(this.#comments);
    this.#source.close();
  }

  /** The server stops. Without a head, what waits for the first item writes it; what has ended may still be being sent. */
  #stop(): void {
    const { response } = this.#exchange;
    this.isStopped = true;
    this.#close();
    if (response.headersSent && !response.writableEnded) this.endStopped();
  }

  /** Tells clients of events when to come back. */
  endStopped(): void {
    this.#exchange.response.end(this.#valid.sequence === 'events' ? `retry: ${reconnectMs()}\n\n` : undefined);
  }

  /** Its caller is no longer allowed to: a client that comes back is told so. What is cut off must not look whole, but events have no end. */
  #revoke(refusal: AppError): void {
    const { response } = this.#exchange;
    if (!response.headersSent) this.refusal = refusal;
    else if (this.#valid.sequence === 'events') response.end();
    else response.destroy();
    this.#close();
  }

  /** Of events the client is told; another sequence that is cut off must not look whole. */
  #fail(error: unknown): void {
    const { response, operation, log } = this.#exchange;
    log.error({ operation: operation?.id, err: error }, 'the stream of items was cut off');
    // What has been written is on its way by then.
    if (this.#valid.sequence !== 'events') return void setImmediate(() => response.destroy());
    response.end(formatEvent({ event: 'error', data: this.#options.formatError(error) }));
  }
}

/** An event as a contract describes it (WHATWG HTML, section 9.2.6). */
interface ServerSentEvent {
  readonly data?: unknown;
  readonly event?: unknown;
  readonly id?: unknown;
  /** In ms. */
  readonly retry?: unknown;
}

/** @returns a function that writes an item. It throws TypeError for an event whose name or id has a line break. */
function itemFormat({ sequence, isEvent }: Pick<ItemValidator, 'sequence' | 'isEvent'>): (item: unknown) => string {
  if (sequence === 'lines') return (item) => `${stringifyJson(item)}\n`;
  // RFC 7464, section 2.2.
  if (sequence === 'records') return (item) => `\x1E${stringifyJson(item)}\n`;
  return isEvent ? (item) => formatEvent(item as ServerSentEvent) : (item) => formatEvent({ data: item });
}

function formatEvent({ event, id, retry, data }: ServerSentEvent): string {
  const text = data === undefined ? '' : toText(data);
  return `${field('event', event)}${field('id', id)}${field('retry', retry)}${text
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : (stringifyJson(value) ?? ''));

function field(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = toText(value);
  if (/[\r\n\0]/.test(text))
    throw new TypeError(`the ${name} of an event must not have a line break: ${JSON.stringify(text.slice(0, 100))}`);
  return `${name}: ${text}\n`;
}
