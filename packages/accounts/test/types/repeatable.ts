/** Type proofs of what may be run again: a stream cannot be given to it. */
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { StoreAccess } from '@specwright/postgres';
import type { IdempotentWork, RepeatableWork, SingleWork, SpooledFile } from '@specwright/server';

declare const transaction: StoreAccess['transaction'];
declare const db: Parameters<StoreAccess['transaction']>[0];
declare const stream: Readable;
declare const web: ReadableStream<Uint8Array>;
declare const items: AsyncIterable<{ readonly count: number }>;
declare const iterator: Iterator<number>;
declare const files: readonly SpooledFile[];
declare const uploads: AsyncIterable<{ readonly stream: Readable }>;
declare const unknown: unknown;
declare const repeatable: RepeatableWork<object>;
declare const single: SingleWork<object>;
declare const either: IdempotentWork<object>;

const none = async () => undefined;

export const proofs = [
  // Values are given as they are.
  transaction(db, async (_, { name, at }) => [name.length, at.getTime()], { given: { name: 'Rex', at: new Date(), tags: ['a'] } }),
  transaction(db, async (_, [first]) => first?.createReadStream(), { given: files }),
  transaction(db, (_, work) => work({}), { given: repeatable }),

  // @ts-expect-error a stream can be read once
  transaction(db, none, { given: stream }),
  // @ts-expect-error also within a value
  transaction(db, none, { given: { name: 'Rex', photo: { stream } } }),
  // @ts-expect-error a stream of the web
  transaction(db, none, { given: web }),
  // @ts-expect-error the items of a body
  transaction(db, none, { given: { items } }),
  // @ts-expect-error an iterator
  transaction(db, none, { given: [iterator] }),
  // @ts-expect-error files that are read as they arrive
  transaction(db, none, { given: uploads }),
  // @ts-expect-error what is not known may be a stream
  transaction(db, none, { given: unknown }),
  // @ts-expect-error work that reads a stream
  transaction(db, none, { given: single }),
  // @ts-expect-error work that may read one
  transaction(db, none, { given: either }),

  // Run once, it may have all of them.
  transaction(db, async (_, body) => body.read() as unknown, { given: stream, once: true }),
  transaction(db, async (_, { items: all }) => all, { given: { items }, once: () => true }),
  transaction(db, (_, work) => work({}), { given: either, once: () => either.isBegun?.() === true }),
];
