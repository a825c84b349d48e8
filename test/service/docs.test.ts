/** The page at /docs and the index at /: what they say, to whom, from disk, under a policy that admits nothing from elsewhere. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { FRAMEWORK_ERRORS } from '@specwright/server';
import { withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { createClock, realLimits } from '../support/service/limits.ts';

const database = withDatabase();
const app = withApp(async () => {
  const { options, store } = realLimits(database.url, createClock());
  const { close, ...rest } = await startApp(database.db, { ...options, docs: true });
  return { ...rest, close: () => Promise.all([close(), store.close()]) };
});

const ERRORS_SCRIPT = new URL('../../packages/server/assets/errors.js', import.meta.url).href;
const VALUES_SCRIPT = new URL('../../packages/server/assets/values.js', import.meta.url).href;
interface Release {
  readonly version: string;
  readonly date: string;
  readonly changes: readonly { kind: string; where: string; what: string; schema?: string; operations: string[] }[];
}
interface Contract {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, object | undefined>>;
  readonly components: { readonly schemas: { readonly ErrorCode: { readonly enum: string[]; readonly 'x-enumDescriptions': object } } };
}

const FILES = ['docs.css', 'docs.js', 'favicon.png', 'operations.css', 'swagger-ui.css', 'swagger-ui-bundle.js'].map(
  (name) => `/docs/${name}`,
);

test('the page names files of this server alone, which are there, and admits no script or style that is inside a page', async () => {
  const { text, headers } = await request(app.server).get('/docs').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => `/${path}`);
  expect(named.sort()).toEqual([...FILES, '/openapi.yaml'].sort());
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*; connect-src 'self'; /);
  for (const path of FILES) await request(app.server).get(path).expect(200);
});

test('every error code of the contract is explained: by the contract, or by the server that answers with it', async () => {
  const { listErrors } = (await import(ERRORS_SCRIPT)) as { listErrors: (spec: unknown) => { code: string; advice: string }[] };
  const contract = (await request(app.server).get('/openapi.json').expect(200)).body as Contract;
  const { enum: codes, 'x-enumDescriptions': texts } = contract.components.schemas.ErrorCode;
  const explained = listErrors(contract).filter(({ advice }) => advice.trim() !== '');
  expect(explained.map(({ code }) => code).sort()).toEqual([...codes].sort());
  // Else the page would take the description of a response for it.
  expect(Object.keys(texts).sort()).toEqual(codes.filter((code) => !(code in FRAMEWORK_ERRORS)).sort());
});

test('forms keep what was typed, but no password, and no credential', async () => {
  interface Kept {
    readonly names: readonly string[];
    readonly hasBody: boolean;
  }
  const { findKept } = (await import(VALUES_SCRIPT)) as { findKept: (spec: unknown) => Map<string, Kept> };
  const json = (name: string) => ({ content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } });
  const query = (name: string, format?: string) => ({ name, in: 'query', schema: { type: 'string', format } });
  const kept = findKept({
    paths: {
      '/pets': { get: { parameters: [query('name'), query('pin', 'password'), query('key')] }, post: { requestBody: json('Pet') } },
      '/users': { post: { requestBody: json('User') } },
    },
    components: {
      securitySchemes: { key: { type: 'apiKey', name: 'key', in: 'query' } },
      schemas: {
        Pet: { properties: { parent: { $ref: '#/components/schemas/Pet' }, name: { type: 'string' } } },
        User: { properties: { login: { properties: { password: { type: 'string', format: 'password' } } } } },
      },
    },
  });
  expect(kept.get('get /pets')).toMatchObject({ names: ['query.name'], hasBody: false });
  expect(kept.get('post /pets')?.hasBody).toBe(true);
  expect(kept.get('post /users')?.hasBody).toBe(false);
});

test('changes of each version are shown, newest first, and name operations and schemas of the contract', async () => {
  const { text } = await request(app.server).get('/docs').expect(200);
  expect(text).toContain('&quot;changelog&quot;:&quot;docs/changelog.json&quot;');
  const releases = (await request(app.server).get('/docs/changelog.json').expect(200)).body as Release[];
  const contract = (await request(app.server).get('/openapi.json').expect(200)).body as Contract;
  const days = releases.map(({ date }) => date);
  expect(days).toEqual([...days].sort().reverse());
  const [newest] = releases;
  expect(newest?.version).toBe(contract.info.version);
  for (const { kind, where, what, schema, operations } of newest?.changes ?? []) {
    for (const name of operations.filter((one) => !one.startsWith('webhook '))) {
      const [method = '', path = ''] = name.split(' ');
      expect(Object.keys(contract.paths[path] ?? {}).includes(method.toLowerCase())).toBe(!(kind === 'removed' && where === ''));
    }
    if (schema !== undefined) expect(Object.keys(contract.components.schemas)).toContain(schema);
    if (schema === 'ErrorCode' && kind === 'added')
      expect(contract.components.schemas.ErrorCode.enum).toEqual(
        expect.arrayContaining([...what.matchAll(/`(\w+)`/g)].map(([, code]) => code)),
      );
  }
});

test('links of guides lead to the operations that they name', async () => {
  const { text } = await request(app.server).get('/docs').expect(200);
  const paths = [...text.matchAll(/docs\/guides\/[\w.-]+/g)].map(([path]) => `/${path}`);
  const contract = (await request(app.server).get('/openapi.json').expect(200)).body as Contract;
  const operationOf = (method: string, path: string) =>
    (contract.paths[path] as Record<string, { operationId: string; tags: string[] }> | undefined)?.[method.toLowerCase()];
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    const guide = await request(app.server).get(path).expect(200).expect('Content-Type', 'text/markdown; charset=utf-8');
    const links = [...guide.text.matchAll(/\[`(\w+) ([^`]+)`\]\(#\/(\w+)\/(\w+)\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, method = '', name = '', tag, operationId] of links)
      expect([name, operationOf(method, name)]).toMatchObject([name, { operationId, tags: [tag] }]);
  }
});

test('files are compressed for who can read that, and are not sent again while they have not changed', async () => {
  const path = '/docs/swagger-ui.css';
  const plain = await request(app.server).get(path).set('Accept-Encoding', 'gzip;q=0').expect(200);
  expect(plain.headers['content-encoding']).toBeUndefined();
  const compressed = await request(app.server).get(path).set('Accept-Encoding', 'gzip, br').expect('Content-Encoding', 'br');
  expect(compressed.text).toBe(plain.text);
  const gzipped = await request(app.server).get(path).set('Accept-Encoding', 'gzip').expect('Content-Encoding', 'gzip');
  expect(gzipped.text).toBe(plain.text);
  expect(gzipped.headers['etag']).not.toBe(compressed.headers['etag']);
  expect(Number(compressed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 4);
  const tag = String(compressed.headers['etag']);
  expect(tag).not.toBe(plain.headers['etag']);
  const fresh = await request(app.server).get(path).set({ 'Accept-Encoding': 'br', 'If-None-Match': tag }).expect(304);
  expect(fresh.text).toBe('');
});

test('a page is not counted against the limit of its reader', async () => {
  const remaining = async () => Number((await request(app.server).get('/docs').expect(200)).headers['x-ratelimit-remaining']);
  expect(await remaining()).toBe(await remaining());
});

describe('GET /', () => {
  test('says to people what it says to programs, in words', async () => {
    const { text } = await request(app.server).get('/').set('Accept', 'text/html').expect(200);
    expect(text).toContain('<span>contract as JSON</span> <a href="/openapi.json">');
  });

  test('tells programs in JSON where things are', async () => {
    const response = await request(app.server).get('/').expect(200).expect('Content-Type', 'application/json').expect('Vary', 'Accept');
    const body = response.body as Record<string, string>;
    expect(body).toEqual({
      title: 'Pet Store API',
      version: '1.0.0',
      documentation: '/docs',
      contract: '/openapi.yaml',
      contractAsJson: '/openapi.json',
      liveness: '/livez',
      readiness: '/readyz',
    });
    for (const path of Object.values(body).slice(2)) await request(app.server).get(path).expect(200);
  });

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json;q=0.5, text/html', 'text/html; charset=utf-8'],
    ['application/json, text/html', 'application/json'],
    ['text/html;q=0', 'application/json'],
    ['*/*', 'application/json'],
  ])('for Accept: %s it is %s', async (accept, type) => {
    await request(app.server).get('/').set('Accept', accept).expect(200).expect('Content-Type', type);
  });
});

test('without docs there is no page, and no word of it', async () => {
  const { server, close } = await startApp(database.db);
  await request(server).get('/docs').expect(404);
  expect((await request(server).get('/').expect(200)).body).not.toHaveProperty('documentation');
  await close();
});
