/** Follows the events of the stock over lost connections and restarts, as browsers do: every id once, each greater than the last. */
import { get, type ClientRequest } from 'node:http';
import type { StockEvent } from './state.ts';

/** Soon, so that it comes while a server still drains. In ms. */
const RECONNECT_MS = 15;

interface SentEvent {
  readonly id: number;
  readonly event: string;
  readonly data: { readonly reason?: string; readonly petId?: number; readonly quantity?: number; readonly status?: StockEvent['status'] };
}

export class Subscriber {
  readonly #url: () => string;
  readonly #key: string;
  #request: ClientRequest | undefined;
  #isClosed = false;
  #lastId: number | undefined;
  #firstId: number | undefined;
  readonly events = new Map<number, StockEvent>();
  readonly problems: string[] = [];

  /** @param url where the service is at the moment. */
  constructor(url: () => string, key: string) {
    this.#url = url;
    this.#key = key;
    this.#connect();
  }

  /** The id of the last event; `undefined` before the first one. */
  get lastId(): number | undefined {
    return this.#lastId;
  }

  /** The id that its first stream began with. */
  get firstId(): number | undefined {
    return this.#firstId;
  }

  /** Leaves, and comes back. */
  leave(): void {
    this.#request?.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.#request?.destroy();
  }

  #connect(): void {
    if (this.#isClosed) return;
    const headers = { authorization: `Bearer ${this.#key}`, ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }) };
    const request = get(`${this.#url()}/store/inventory/events`, { headers, agent: false });
    this.#request = request;
    let isOver = false;
    const again = () => {
      if (isOver) return;
      isOver = true;
      setTimeout(() => this.#connect(), RECONNECT_MS);
    };
    request.on('error', again).on('close', again);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('error', () => undefined);
      response.on('data', (chunk: string) => {
        if (response.statusCode !== 200 || this.#isClosed) return;
        text += chunk;
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          this.#read(text.slice(0, end));
          text = text.slice(end + 2);
        }
      });
      if ((response.statusCode ?? 0) >= 500 && response.statusCode !== 503) this.problems.push(`the feed answered ${response.statusCode}`);
      if (response.statusCode === 503 && response.headers['retry-after'] === undefined)
        this.problems.push('the feed answered 503 without Retry-After');
    });
  }

  #read(text: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
    const data = field('data');
    if (data === undefined) return;
    const event: SentEvent = { id: Number(field('id')), event: field('event') ?? '', data: JSON.parse(data) as SentEvent['data'] };
    if (event.event === 'error') return;
    if (event.event === 'reset') {
      if (this.#lastId !== undefined || event.data.reason !== 'started')
        this.problems.push(`reset ${event.data.reason} at ${event.id} after ${this.#lastId}`);
      this.#firstId ??= event.id;
      this.#lastId = event.id;
      return;
    }
    if (this.#lastId !== undefined && event.id <= this.#lastId) this.problems.push(`event ${event.id} came after ${this.#lastId}`);
    this.#lastId = event.id;
    const { petId = 0, quantity = null, status = null } = event.data;
    this.events.set(event.id, { petId, quantity, status });
  }
}
