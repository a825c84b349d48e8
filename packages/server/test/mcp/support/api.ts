/** An API with tools, in memory: its contract, its handlers, and what they were asked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, createServer, HandlerResponse, loadContract, AppError } from '@specwright/server';
import { operationTable, rateLimitPlans, readDocument } from '@specwright/contract/document';
import { createTestLog, listenOnFreePort, type ListeningServer, type LogLine } from 'specwright/testing';
import { mcp } from '@specwright/server/mcp';

const error = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};
const errors = Object.fromEntries(
  ['400', '401', '404', '409', '429', '503'].map((status) => [
    status,
    { description: 'an error', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
);
const pet = { $ref: '#/components/schemas/Pet' };
const json = (schema: object, more = {}) => ({ description: 'ok', content: { 'application/json': { schema } }, ...more });
const petId = { name: 'petId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const header = { schema: { type: 'string' } };

export const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.2.3' },
  'x-rate-limit-plans': { plans: { all: { minute: 20, day: 1000 } }, address: { minute: 20, day: 1000 } },
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        description: 'The pets.',
        'x-mcp': true,
        parameters: [
          { name: 'status', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 10, default: 2 } },
          { name: 'cursor', in: 'query', schema: { type: 'string' } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { size: { type: 'integer' } } } },
          { name: 'near', in: 'query', content: { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } } },
          { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
        ],
        responses: { 200: json({ type: 'array', items: pet }, { headers: { Link: header } }), ...errors },
      },
      post: {
        operationId: 'createPet',
        'x-mcp': { name: 'create_pet', description: 'Creates a pet.', destructive: false },
        'x-body-limit': 1000,
        parameters: [key],
        requestBody: { required: true, content: { 'application/json': { schema: pet } } },
        responses: { 201: json(pet, { headers: { Location: header, ETag: header } }), ...errors },
      },
    },
    '/pets/{petId}': {
      parameters: [petId],
      get: { operationId: 'getPet', 'x-mcp': true, summary: 'Read a pet', responses: { 200: json(pet), ...errors } },
      delete: { operationId: 'deletePet', 'x-mcp': true, summary: 'Delete a pet', responses: { 204: { description: 'gone' }, ...errors } },
    },
    '/slow': { get: { operationId: 'slow', 'x-mcp': true, summary: 'Slow', responses: { 200: json({ type: 'string' }), ...errors } } },
    '/hidden': { get: { operationId: 'hidden', responses: { 200: json({ type: 'object' }), ...errors } } },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Error: error,
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', minLength: 1 },
          secret: { type: 'string', writeOnly: true },
          tag: { type: 'string', nullable: true, 'x-other': 1 },
          mother: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
};

export interface ToolApi extends ListeningServer {
  readonly log: LogLine[];
  /** What handlers have got. */
  readonly seen: {
    readonly queries: object[];
    readonly keys: (string | undefined)[];
    readonly aborted: Promise<void>;
    readonly addresses: unknown[];
  };
}

export async function writeDocument(): Promise<{ readonly file: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(DOCUMENT));
  return { file, remove: () => rm(folder, { recursive: true }) };
}

export async function startToolApi(options: object = {}): Promise<ToolApi> {
  const { file, remove } = await writeDocument();
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, {
    digest,
    operations: operationTable(document),
    rateLimitPlans: rateLimitPlans(document),
  });
  await remove();
  const log: LogLine[] = [];
  const pets = [1, 2, 3].map((id) => ({ id, name: `Pet ${id}` }));
  const keys: (string | undefined)[] = [];
  const queries: object[] = [];
  const addresses: unknown[] = [];
  let abort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (abort = resolve));
  interface Input {
    readonly query: { readonly cursor?: string; readonly limit: number; readonly status?: string[] };
    readonly path: { readonly petId: number };
    readonly body: object;
    readonly headers: Record<string, string | undefined>;
  }
  const reply = (status: number, body?: unknown, headers: Record<string, string> = {}) => HandlerResponse.reply(status, { body, headers });
  const handlers = {
    listPets: ({ query }: Input) => {
      const { cursor = '0', limit, status } = query;
      queries.push(query);
      const end = Number(cursor) + limit;
      const next = new URLSearchParams([
        ...(status ?? []).map((one) => ['status', one]),
        ['limit', String(limit)],
        ['cursor', String(end)],
      ] as [string, string][]);
      return reply(200, pets.slice(Number(cursor), end), end < pets.length ? { Link: `</pets?${next.toString()}>; rel="next"` } : {});
    },
    createPet: ({ body, headers }: Input) => {
      keys.push(headers['Idempotency-Key'] ?? headers['idempotency-key']);
      return reply(201, { id: 9, ...body }, { Location: '/pets/9', ETag: '"1"' });
    },
    getPet: ({ path: { petId: id } }: Input) => {
      const found = pets.find((one) => one.id === id);
      if (found === undefined) throw new AppError('not_found', `there is no pet ${id}`);
      return reply(200, found);
    },
    deletePet: () => reply(204),
    slow: (_input: Input, _reply: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => (abort(), reject(new Error('aborted'))))),
    hidden: () => reply(200, {}),
  };
  const security = { key: bearer(async (token: string) => (token === 'good' ? { id: 'ann' } : undefined)) };
  const subject = (caller: { id: string }) => ({ bucket: caller.id, quota: { minute: 20, day: 1000 } });
  const server = createServer({
    contract,
    handlers,
    security,
    rateLimit: { subject },
    logCaller: ({ id }: { id: string }) => ({ caller: id }),
    log: createTestLog(log),
    mcp: mcp(),
    ...options,
  } as never);
  return { ...(await listenOnFreePort(server)), log, seen: { queries, keys, aborted, addresses } };
}
