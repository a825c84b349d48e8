/** The mock as handlers of MSW: what the tests of a front end get from its client without a server. */
import { pathToFileURL } from 'node:url';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createMswHandlers, type MswHttp } from 'specwright/msw';
import { createClient, isFailure, listen, orThrow, type Results } from '../../generated/client.ts';
import { requireOfChromium } from './find-chromium.ts';

interface Handler {
  readonly info: unknown;
}
interface Msw {
  setupServer(...handlers: readonly Handler[]): {
    readonly events: { on(name: string, listener: () => void): void };
    listen(options: object): void;
    use(...handlers: readonly Handler[]): void;
    resetHandlers(): void;
    close(): void;
  };
}

const isInstalled = (() => {
  try {
    return requireOfChromium.resolve('msw/node');
  } catch {
    return undefined;
  }
})();
if (isInstalled === undefined && process.env['CI']) throw new Error('there is no MSW: npm ci --prefix test/browser/chromium');

(isInstalled === undefined ? describe.skip : describe)('with MSW', () => {
  const baseUrl = 'https://api.example.com/v1';
  const client = createClient({ baseUrl, credentials: { bearerAuth: 'key' } });
  const load = async (name: string) => (await import(pathToFileURL(requireOfChromium.resolve(name)).href)) as unknown;
  let api: ReturnType<typeof createMswHandlers<Results, Handler>>;
  let server: ReturnType<Msw['setupServer']>;
  beforeAll(async () => {
    const { http } = (await load('msw')) as { http: MswHttp<Handler> };
    api = createMswHandlers<Results, Handler>(http, { spec: resolve('generated/document.json'), baseUrl });
    server = ((await load('msw/node')) as Msw).setupServer(...api.handlers);
    server.listen({ onUnhandledRequest: 'error' });
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  test('each operation answers with its success, as the mock does', async () => {
    const { status, body, headers } = await orThrow(client.createPet({ body: { name: 'Rex', categoryId: 1 } }));
    expect([status, body.name, typeof headers.Location, typeof headers['X-Request-Id'], typeof headers['X-RateLimit-Remaining']]).toEqual([
      201,
      'Rex',
      'string',
      'string',
      'number',
    ]);
    expect((await orThrow(client.getStorePet({ path: { petId: 1 } }))).headers.ETag).toEqual(expect.any(String));
    expect((await orThrow(client.listPets({ query: { limit: 2 } }))).body[0]?.id).toEqual(expect.any(Number));
    expect((await orThrow(client.deletePet({ path: { petId: 1 } }))).status).toBe(204);
    const photo = await orThrow(client.getPhoto({ path: { petId: 1, photoId: 1 } }));
    expect(photo.body.size).toBeGreaterThan(0);
    const events = listen(client, 'listenToInventory');
    expect((await events.next()).value).toMatchObject({ event: expect.any(String) });
    await events.return(undefined);
  });

  test('the client asks again after 503', async () => {
    let count = 0;
    server.events.on('request:start', () => count++);
    server.use(api.reply('listPets', 503, { headers: { 'Retry-After': '0' } }));
    expect(await client.listPets({}, { retry: { attempts: 2 } })).toMatchObject({ status: 503 });
    expect(count).toBe(2);
  });

  test('bytes are those that a test gives', async () => {
    server.use(api.reply('getPhoto', 200, { body: new Blob(['a "b"']) }));
    const { body } = await orThrow(client.getPhoto({ path: { petId: 1, photoId: 1 } }));
    expect(await body.text()).toBe('a "b"');
  });

  test('a path is that of its own characters, and concrete ones come first', async () => {
    const { http } = (await load('msw')) as { http: MswHttp<Handler> };
    const folder = await mkdtemp(join(tmpdir(), 'msw-'));
    const spec = join(folder, 'openapi.json');
    const get = (id: string) => ({
      get: { operationId: id, responses: { 200: { description: 'It.', content: { 'application/json': { example: id } } } } },
    });
    const paths = {
      '/pets/{id}': get('getPet'),
      '/pets/mine': get('getMine'),
      '/pets/{id}:cancel': get('cancelPet'),
      '/odd(b)/c+d': get('getOdd'),
      '/lit:eral': get('getLiteral'),
    };
    await writeFile(spec, JSON.stringify({ openapi: '3.0.3', info: { title: 'Odd', version: '1' }, paths }));
    const odd = createMswHandlers<Results, Handler>(http, { spec, baseUrl: 'https://odd.example.com' });
    await rm(folder, { recursive: true });
    server.use(...odd.handlers);
    const answerOf = async (path: string) => (await fetch(`https://odd.example.com${path}`)).json();
    expect(await Promise.all(['/pets/1', '/pets/mine', '/pets/1:cancel', '/odd(b)/c+d', '/lit:eral'].map(answerOf))).toEqual([
      'getPet',
      'getMine',
      'cancelPet',
      'getOdd',
      'getLiteral',
    ]);
  });

  test('a test chooses a declared status, and a body, which are typed', async () => {
    server.use(api.reply('getStorePet', 404), api.reply('listPets', 200, { body: [], headers: { Link: '</pets?cursor=a>; rel="next"' } }));
    const refused = await orThrow(client.getStorePet({ path: { petId: 1 } })).catch((error: unknown) => error);
    expect(isFailure(refused, 'getStorePet') && refused.reply.status === 404 && refused.reply.body.code).toBe('not_found');
    const { body, headers } = await orThrow(client.listPets());
    expect([body, headers.Link]).toEqual([[], '</pets?cursor=a>; rel="next"']);
    // @ts-expect-error -- an undeclared status
    expect(() => api.reply('getStorePet', 418)).not.toThrow();
    // @ts-expect-error -- not a pet
    api.reply('getStorePet', 200, { body: { id: 'one' } });
    // @ts-expect-error -- no such operation
    expect(() => api.reply('getPets', 200)).toThrow('has no operation getPets that MSW can answer');
  });
});
