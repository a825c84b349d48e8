/** The handlers of MSW without it: which of them a request is for, and what is sent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMswHandlers, type MswHttp } from '../../src/mock/msw-handlers.ts';

const operation = (id: string, type = 'application/json', schema = '{ type: string }') =>
  `{ get: { operationId: ${id}, responses: { '200': { description: It., content: { ${type}: { schema: ${schema} } } } } } }`;

const YAML = `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /pets/{id}: ${operation('getPet')}
  /pets/{id}:cancel: ${operation('cancelPet')}
  /pets/mine: ${operation('getMine')}
  /{kind}/mine/photos: ${operation('getPhotosOfKind')}
  /pets/{id}/photos: ${operation('getPhotos')}
  /lit:eral: ${operation('getLiteral')}
  /odd(b)/c+d: ${operation('getOdd')}
  /größe.{ext}: ${operation('getSize')}
  /find: ${operation('findAll')}
  /find?by=name: ${operation('findByName')}
  /text: ${operation('getText', 'text/plain')}
  /bytes: ${operation('getBytes', 'application/octet-stream', '{ type: string, format: binary }')}
  /lines: ${operation('getLines', 'application/jsonl', '{ type: object }')}
  /events: ${operation('getEvents', 'text/event-stream', '{ type: object }')}
  /big: ${operation('getBig', 'application/json', '{ type: integer, format: int64 }')}
`;

type Handler = (request: Request) => Promise<Response | undefined>;
type Replies = Record<string, { status: 200; body: unknown }>;

/** As MSW calls it: by the URL without its query. */
const get: MswHttp<Handler>['get'] = (path, resolve) => async (request) =>
  path.test(request.url.replace(/\?.*/, '')) ? resolve({ request }) : undefined;

function createHandlers(text: string, baseUrl = 'https://API.example.com/v1/') {
  const folder = mkdtempSync(join(tmpdir(), 'msw-'));
  const spec = join(folder, 'openapi.yaml');
  writeFileSync(spec, text);
  try {
    return createMswHandlers<Replies, Handler>({ get } as MswHttp<Handler>, { spec, baseUrl });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function firstAnswer(handlers: readonly Handler[], request: Request): Promise<unknown> {
  for (const handler of handlers) {
    const response = await handler(request);
    if (response !== undefined) return response.json();
  }
  return undefined;
}

test.each([
  ['/pets/1', 'getPet'],
  ['/pets/mine', 'getMine'],
  ['/pets/1:cancel', 'cancelPet'],
  ['/pets/1%3Acancel', 'cancelPet'],
  ['/pets/mine/photos', 'getPhotos'],
  ['/dogs/mine/photos', 'getPhotosOfKind'],
  ['/lit:eral', 'getLiteral'],
  ['/lit%3aeral', 'getLiteral'],
  ['/litany', undefined],
  ['/literal', undefined],
  ['/odd(b)/c+d', 'getOdd'],
  ['/odd%28b%29/c%2Bd', 'getOdd'],
  ['/oddb/ccd', undefined],
  ['/größe.json', 'getSize'],
  ['/größexjson', undefined],
  ['/find', 'findAll'],
  ['/find?by=name', 'findByName'],
])('%s is for %s', async (path, expected) => {
  const answeringWithId = YAML.replace(/operationId: (\w+)(.*?)schema: \{.*?\}/g, 'operationId: $1$2example: $1');
  for (const baseUrl of ['https://API.example.com/v1/', '/v1']) {
    const { handlers } = createHandlers(answeringWithId, baseUrl);
    expect(await firstAnswer(handlers, new Request(`https://api.example.com/v1${path}`))).toBe(expected);
  }
});

async function* iterate(items: readonly unknown[]): AsyncGenerator {
  for (const item of items) yield await Promise.resolve(item);
}

test.each([
  ['text', 'getText', 'a "b"', 'a "b"'],
  ['bytes', 'getBytes', new Uint8Array([104, 105]), 'hi'],
  ['bytes', 'getBytes', new Blob(['hi']), 'hi'],
  ['lines', 'getLines', [{ n: 1n }, { n: 2 }], '{"n":1}\n{"n":2}\n'],
  ['lines', 'getLines', ReadableStream.from([Buffer.from('{}')]), '{}'],
  ['events', 'getEvents', iterate([{ data: 1n }, { data: { n: 2n } }]), 'data: 1\n\ndata: {"n":2}\n\n'],
  ['big', 'getBig', 9007199254740993n, '9007199254740993'],
  ['pets/1', 'getPet', 'Rex', '"Rex"'],
])('/%s: a body that is given to %s is sent', async (path, id, body, expected) => {
  const response = await createHandlers(YAML).reply(id, 200, { body })(new Request(`https://api.example.com/v1/${path}`));
  expect(await response?.text()).toBe(expected);
});
