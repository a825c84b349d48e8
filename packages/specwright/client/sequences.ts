/** Writes bodies that are sequences of items: JSON Lines and JSON text sequences. */
import { writeJson } from './json.ts';
import { streamBody } from './streamed.ts';
import type { SentSequence, WrittenBody } from './types.ts';

/** A list as its text; other items as a stream that asks for the next one when the server reads on. */
export async function writeItems(items: unknown, kind: SentSequence): Promise<WrittenBody> {
  const write = (item: unknown): string => `${kind === 'records' ? '\x1E' : ''}${writeJson(item)}\n`;
  if (Array.isArray(items)) return { body: items.map(write).join('') };
  return streamBody(chunksOfItems(items as AsyncIterable<unknown> | Iterable<unknown>, write));
}

async function* chunksOfItems(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  write: (item: unknown) => string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const item of items) yield encoder.encode(write(item));
}
