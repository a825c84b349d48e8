/** Items of a sequence as text: server-sent events, JSON Lines, JSON text sequences. */
import { type ItemValidator, stringifyJson } from '@specwright/contract';

/** An event as a contract describes it (WHATWG HTML, section 9.2.6). */
interface ServerSentEvent {
  readonly data?: unknown;
  readonly event?: unknown;
  readonly id?: unknown;
  /** In ms. */
  readonly retry?: unknown;
}

/** @returns a function that writes an item. It throws TypeError for an event whose name or id has a line break. */
export function itemFormat({ sequence, isEvent }: Pick<ItemValidator, 'sequence' | 'isEvent'>): (item: unknown) => string {
  if (sequence === 'lines') return (item) => `${stringifyJson(item)}\n`;
  // RFC 7464, section 2.2.
  if (sequence === 'records') return (item) => `\x1E${stringifyJson(item)}\n`;
  return isEvent ? (item) => formatEvent(item as ServerSentEvent) : (item) => formatEvent({ data: item });
}

export function formatEvent({ event, id, retry, data }: ServerSentEvent): string {
  const text = data === undefined ? '' : toText(data);
  return `${field('event', event)}${field('id', id)}${field('retry', retry)}${text
    .split(/\r\n|\r|\n/)
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
