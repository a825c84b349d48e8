/** CPU of a request in memory whose response is compressed, in this process, and the bytes of the response. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import compression from 'compression';
import {
  createServer,
  HandlerResponse,
  loadContract,
  type ContractTypes,
  type GeneratedContract,
  type Log,
  type ServerOptions,
} from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';
import { openMemoryConnections } from '../requests/memory-connections.ts';

/** Of the bodies, in KB. */
export const SIZES = [1, 4, 16, 200] as const;
export const CODINGS = ['identity', 'br', 'gzip'] as const;

export interface CompressionFigure {
  /** What compresses. */
  readonly by: string;
  readonly size: number;
  readonly coding: (typeof CODINGS)[number];
  /** Of the body as it is sent. */
  readonly bytes: number;
  /** Of the process for a request, in µs: the least of all rounds. */
  readonly cpu: number;
}

/** A batch is so many KB of bodies, so that each takes about as long. */
const BATCH_KB = 2000;
const WARM_UP = 2;

const ignore = () => undefined;
const LOG: Log = { info: ignore, warn: ignore, error: ignore, child: () => LOG };

const DOCUMENT = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Lists', version: '1' },
  paths: {
    '/lists/{size}': {
      get: {
        operationId: 'getList',
        parameters: [{ name: 'size', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: { description: 'A list.', content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } } },
        },
      },
    },
  },
});

export async function measureCompression({
  rounds,
  onRound,
}: {
  readonly rounds: number;
  readonly onRound: (round: number) => void;
}): Promise<CompressionFigure[]> {
  const servers = Object.entries({
    'this server': { compression: true },
    'the middleware': { use: [compression()] },
  } satisfies Record<string, Partial<ServerOptions<ContractTypes, unknown>>>).map(([by, options]) => ({
    by,
    create: () => serve(options),
  }));
  const cases = [];
  for (const { by, create } of servers) {
    const connections = openMemoryConnections(await create());
    for (const size of SIZES) for (const coding of CODINGS) cases.push({ by, size, coding, connections, bytes: 0, cpu: Infinity });
  }
  for (let round = -WARM_UP; round < rounds; round++) {
    onRound(round);
    for (const one of cases) {
      const { size, coding, connections } = one;
      const count = Math.max(BATCH_KB / size, 50);
      const request = Buffer.from(`GET /lists/${size} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${coding}\r\n\r\n`);
      const before = process.cpuUsage();
      await connections.send(request, count, ({ status, body }) => {
        one.bytes = body.length;
        return status === 200;
      });
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) one.cpu = Math.min(one.cpu, (user + system) / count);
    }
  }
  return cases.map(({ by, size, coding, bytes, cpu }) => ({ by, size, coding, bytes, cpu }));
}

async function serve(options: Partial<ServerOptions<ContractTypes, unknown>>): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'spec.json');
    await writeFile(file, DOCUMENT);
    const { document, digest } = parseSource('spec.json', DOCUMENT);
    const table = { digest, operations: operationTable(document) } as unknown as GeneratedContract<ContractTypes>;
    const bodies = new Map(SIZES.map((size) => [size as number, createList(size * 1000)]));
    const getList = ({ path }: { readonly path: { readonly size: number } }) => HandlerResponse.reply(200, { body: bodies.get(path.size) });
    const contract = await loadContract(file, table);
    return createServer({ contract, handlers: { getList } as never, security: {}, log: LOG, ...options });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pets with names, prices and dates that differ, the same in each run. @param length of the JSON, in bytes: it is at least so long. */
function createList(length: number): object[] {
  const list: object[] = [];
  let random = 1;
  const next = (below: number) => (random = (random * 48_271) % 2_147_483_647) % below;
  const word = () => Array.from({ length: 4 + next(6) }, () => String.fromCharCode(97 + next(26))).join('');
  for (let bytes = 2, id = 1; bytes < length; id++) {
    const born = new Date(Date.UTC(2026, 0, 1) - next(1e9)).toISOString();
    const pet = {
      id,
      name: word(),
      categoryId: next(20),
      status: ['available', 'pending', 'sold'][next(3)],
      price: next(100_000) / 100,
      born,
    };
    list.push(pet);
    bytes += JSON.stringify(pet).length + 1;
  }
  return list;
}
