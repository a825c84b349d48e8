/** A contract with streams and items beside the pet store, whose handlers count what they have opened and what was closed. */
import { createReadStream, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operationTable, readDocument } from '@specwright/contract/document';
import { openIdempotencyStore } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { createServer, loadContract, type Contract, type Log } from '@specwright/server';

export const DOWNLOAD_BYTES = 300_000;
/** Of an item: some of them fill what a connection has room for. */
const PADDING = 'x'.repeat(1000);

const CONTRACT = fileURLToPath(new URL('streams.yaml', import.meta.url));

export function loadStreams(): Promise<Contract> {
  const { digest, document } = readDocument(CONTRACT);
  return loadContract(CONTRACT, { digest, operations: operationTable(document) } as never);
}

/** What handlers have opened and nobody has closed yet. */
export interface Resources {
  /** Iterators of items, by what opened them. */
  readonly iterators: Set<string>;
  /** Descriptors of the file that is downloaded. */
  readonly descriptors: () => number;
  readonly file: string;
  readonly remove: () => void;
}

export function openResources(): Resources {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  const file = join(folder, 'download');
  writeFileSync(file, Buffer.alloc(DOWNLOAD_BYTES, 'abc'));
  const isOpen = (descriptor: string) => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor)) === file;
    } catch {
      return false;
    }
  };
  const descriptors = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').filter(isOpen).length : 0);
  return { iterators: new Set(), file, descriptors, remove: () => rmSync(folder, { recursive: true }) };
}

/** Rows that copies and lines leave: `part` is the number of the item, 0 of a copy. Nothing is unique, so that a second effect is seen. */
export const createTables = (db: Database): Promise<unknown> =>
  db.raw('CREATE TABLE model_rows (tag text NOT NULL, part integer NOT NULL, bytes integer NOT NULL)');

type Reply = (status: number, payload: object) => unknown;
interface Upload<Body> {
  readonly path: { readonly tag: string };
  readonly body: AsyncIterable<Body>;
}

let opened = 0;

function openItems({ iterators }: Resources, kind: string, first: number, count: number): Iterable<unknown> | AsyncIterable<unknown> {
  const name = `${kind} ${++opened}: first item after ${first} ms, ${count} items`;
  iterators.add(name);
  const close = () => void iterators.delete(name);
  let n = 0;
  const next = () => {
    if (n < count) return { done: false, value: { data: { n: n++, padding: PADDING } } };
    close();
    return { done: true, value: undefined };
  };
  if (kind === 'sync') {
    const iterator = {
      next,
      return() {
        close();
        throw new Error('the items cannot be closed');
      },
    };
    return { [Symbol.iterator]: () => iterator } as Iterable<unknown>;
  }
  // Written out: a generator that waits is not closed before it has gone on.
  let wake: () => void = () => undefined;
  const iterator = {
    async next() {
      if (n === 0) await new Promise<void>((resolve) => (first < 0 ? (wake = resolve) : void setTimeout((wake = resolve), first)));
      else await sleep(5);
      return iterators.has(name) ? next() : { done: true, value: undefined };
    },
    async return() {
      close();
      wake();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator } as AsyncIterable<unknown>;
}

interface WithDatabase {
  readonly db: Database;
}

const createHandlers = (resources: Resources) => ({
  async createCopy({ path, body }: Upload<Uint8Array>, reply: Reply, { db }: WithDatabase) {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    await db('model_rows').insert({ tag: path.tag, part: 0, bytes });
    return reply(201, { body: { bytes } });
  },
  async createLines({ path, body }: Upload<{ n: number }>, reply: Reply, { db }: WithDatabase) {
    let bytes = 0;
    for await (const { n } of body) {
      bytes += 1;
      await db('model_rows').insert({ tag: path.tag, part: n, bytes: 1 });
    }
    return reply(201, { body: { bytes } });
  },
  async listItems({ query }: { query: { kind: string; first: number; count: number } }, reply: Reply) {
    // Behind the deadline.
    if (query.kind === 'late') await sleep(Math.max(0, query.first));
    return reply(200, { items: openItems(resources, query.kind, query.first, query.count) });
  },
  async download({ query }: { query: { wait: number } }, reply: Reply) {
    await sleep(query.wait);
    return reply(200, { stream: createReadStream(resources.file), length: DOWNLOAD_BYTES });
  },
});

export interface StreamServerOptions {
  readonly contract: Contract;
  readonly db: Database;
  readonly resources: Resources;
  readonly log: Log;
  readonly requestTimeoutMs: number;
}

/** @returns the server, and what ends its store of idempotency keys. */
export function createStreamServer({ contract, db, resources, log, requestTimeoutMs }: StreamServerOptions) {
  const idempotency = openIdempotencyStore(db, { log });
  const handlers = createHandlers(resources);
  const server = createServer({
    contract,
    handlers,
    db,
    idempotency,
    security: {},
    log,
    requestTimeoutMs,
    metrics: { maxAgeMs: 0 },
  } as never);
  return { server, close: idempotency.close };
}
