/** The items of a sequence that was received, read without the server's code. */

/** The data of an event, and the event itself. */
export interface ReceivedItem {
  readonly data: unknown;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Events that only say when to come back have no data, and are no items; nor is the end of a stream that failed. */
export function receivedEvents(text: string, isText: boolean): ReceivedItem[] {
  return text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
    const field = (name: string) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
    const data = field('data').join('\n');
    if (field('data').length === 0) return [];
    const value = isText ? data : jsonOrText(data);
    const [event, id, retry] = [field('event')[0], field('id')[0], field('retry')[0]];
    const named = {
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry: Number(retry) }),
    };
    return [{ data: value, event: { ...named, data: value } }];
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const receivedLines = (text: string): unknown[] =>
  text
    .split('\n')
    .map((line) => line.replace('\x1E', ''))
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
