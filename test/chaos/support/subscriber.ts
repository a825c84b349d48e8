/** A client of the stream of stock events that reconnects with `Last-Event-ID`, as a browser's EventSource does, to another server too. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from 'specwright/testing';

export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly petId?: number; readonly quantity?: number };
}

export interface Subscriber {
  /** All events so far, over all connections. */
  readonly received: readonly ReceivedEvent[];
  /** The id of the last event that was received, 0 if none was. */
  readonly lastId: number;
  /** How many connections were opened. */
  readonly connections: number;
  close(): void;
}

const RETRY_MS = 50;

/** @param urlOf tells which server an attempt connects to, counted from 0. */
export function subscribe(urlOf: (attempt: number) => string, key: string): Subscriber {
  const received: ReceivedEvent[] = [];
  const end = new AbortController();
  let connections = 0;

  async function readOnce(attempt: number): Promise<void> {
    const id = received.at(-1)?.id;
    const headers = { Authorization: `Bearer ${key}`, ...(id === undefined ? {} : { 'Last-Event-ID': id }) };
    const response = await fetch(`${urlOf(attempt)}/store/inventory/events`, { headers, signal: end.signal });
    if (response.status !== 200 || response.body === null) throw new Error(`answered ${response.status}`);
    connections++;
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      received.push(...messages.flatMap(parse));
    }
  }

  async function run(): Promise<void> {
    for (let attempt = 0; !end.signal.aborted; attempt++) {
      await readOnce(attempt).catch(() => undefined);
      await sleep(RETRY_MS);
    }
  }

  void run();
  return {
    received,
    get lastId() {
      return Number(received.at(-1)?.id ?? 0);
    },
    get connections() {
      return connections;
    },
    close: () => end.abort(),
  };
}

/** A message without data is a comment, which keeps the connection open. */
function parse(message: string): ReceivedEvent[] {
  const fields = new Map(message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
  return id === undefined || event === undefined || data === undefined
    ? []
    : [{ id, event, data: JSON.parse(data) as ReceivedEvent['data'] }];
}

export const idsOf = ({ received }: Subscriber): number[] => received.map(({ id }) => Number(id));

/** How many numbers do not follow the one before. */
export const countGaps = (numbers: readonly number[]): number =>
  numbers.filter((one, n) => n > 0 && one !== (numbers[n - 1] ?? 0) + 1).length;

/** How many ids are not greater than the one before. */
export const countDisorders = (ids: readonly number[]): number => ids.filter((id, n) => n > 0 && id <= (ids[n - 1] ?? 0)).length;

/** The ids of the events of an account, in the order of the log. */
export const readIds = async ({ db }: TestDatabase, accountId: number): Promise<number[]> =>
  (await db('event_log').where({ account_id: accountId }).orderBy('id').select<{ id: number }[]>('id')).map(({ id }) => id);

/** How many events after the first that was received are lost, doubled or out of order. */
export function countMissed({ received }: Subscriber, stored: readonly number[]): number {
  const [first = 0, ...ids] = received.map(({ id }) => Number(id));
  const expected = stored.filter((id) => id > first);
  return Math.max(ids.length, expected.length) - ids.filter((id, n) => id === expected[n]).length;
}

/** The first is the reset with which a stream begins. */
export const countResets = (received: readonly ReceivedEvent[]): number =>
  received.slice(1).filter(({ event }) => event === 'reset').length;
