/** Sends items one by one: each validated, as fast as the client reads, until they end, the client goes away or the server stops. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ItemStream, type ItemValidator, inBackground, stringifyJson } from '@specwright/contract';
import type { Exchange } from '../exchange.ts';
import { closeWithClient } from '../half-closed.ts';
import type { OpenStreams } from './open-streams.ts';

/** How long the head waits for the first item, whose error can still be an error of the contract, in ms. */
const FIRST_ITEM_WAIT_MS = 500;
/** Proxies close what is silent for longer (WHATWG HTML, section 9.2.7, names 15 s). */
const COMMENT_INTERVAL_MS = 15_000;
/** After the stop of the server clients come back within this time, not all at once. */
const RECONNECT_MS = { least: 1000, spread: 4000 };

export interface SendItemsOptions {
  /** What is thrown for an item that breaks the contract; `undefined` if it is sent all the same. */
  readonly toError: (problems: readonly string[]) => Error | undefined;
  /** The body of an error as the contract has it. */
  readonly formatError: (error: unknown) => unknown;
  readonly streams: Pick<OpenStreams, 'onStop'>;
  readonly begin: () => void;
}

type Result = IteratorResult<unknown>;

/** Resolves when the head has been written. @throws what the first item fails with, if it fails soon. */
export async function sendItems(exchange: Exchange, valid: ItemStream & ItemValidator, options: SendItemsOptions): Promise<void> {
  const { response } = exchange;
  const { items } = valid;
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const sender = new ItemSender(exchange, valid, iterator, options);
  if (exchange.request.method === 'HEAD') {
    sender.close();
    options.begin();
    return void response.end();
  }
  try {
    // Validated once, however late it comes: what fails later is seen by `run`.
    const first = Promise.resolve(iterator.next()).then((result) => sender.textOf(result));
    await Promise.race([first, sleep(FIRST_ITEM_WAIT_MS, undefined, { ref: false })]);
    if (sender.isClosed || exchange.isExpired) return sender.close();
    options.begin();
    // The client has the head before the first item.
    response.flushHeaders();
    inBackground(sender.run(first), exchange.log);
  } catch (error) {
    sender.close();
    throw error;
  }
}

class ItemSender {
  isClosed = false;
  readonly #exchange: Exchange;
  readonly #valid: ItemValidator;
  readonly #iterator: Iterator<unknown> | AsyncIterator<unknown>;
  readonly #options: SendItemsOptions;
  readonly #format: (item: unknown) => string;
  readonly #forget: () => void;
  #comments: NodeJS.Timeout | undefined = undefined;

  constructor(exchange: Exchange, valid: ItemValidator, iterator: Iterator<unknown> | AsyncIterator<unknown>, options: SendItemsOptions) {
    this.#exchange = exchange;
    this.#valid = valid;
    this.#iterator = iterator;
    this.#options = options;
    this.#format = itemFormat(valid);
    const forget = options.streams.onStop(() => this.#stop());
    const unwatch = exchange.service.callers.watch(exchange, () => this.#revoke());
    this.#forget = () => {
      forget();
      unwatch();
    };
    exchange.response.once('close', () => this.close());
    closeWithClient(exchange.request, exchange.response);
  }

  /** @returns `undefined` at the end. @throws Error for an item that breaks the contract. */
  textOf(result: Result): string | undefined {
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
        next = this.textOf(result);
      }
      if (!this.#isOver()) response.end();
    } catch (error) {
      if (!this.#isOver()) this.#fail(error);
    } finally {
      this.close();
    }
  }

  /** It may be while something is waited for. */
  #isOver(): boolean {
    return this.isClosed;
  }

  /** Closes the items, also while the next one is waited for. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.#comments);
    this.#forget();
    void Promise.resolve(this.#iterator.return?.()).catch((err: unknown) => {
      this.#exchange.log.error({ operation: this.#exchange.operation?.id, err }, 'the items could not be closed');
    });
  }

  /** The server stops: clients of events are told when to come back. */
  #stop(): void {
    const { response } = this.#exchange;
    const retry = RECONNECT_MS.least + Math.floor(Math.random() * RECONNECT_MS.spread);
    if (response.headersSent) response.end(this.#valid.sequence === 'events' ? `retry: ${retry}\n\n` : undefined);
    this.close();
  }

  /** Its caller is no longer allowed to: a client that comes back is told so. What is cut off must not look whole, but events have no end. */
  #revoke(): void {
    const { response } = this.#exchange;
    if (this.#valid.sequence === 'events') response.end();
    else response.destroy();
    this.close();
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
