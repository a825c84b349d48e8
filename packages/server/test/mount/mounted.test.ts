/** A handler below a path of an application: what it answers names the whole path, and what is not its own is the application's. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import express5, { type Express } from 'express';
import express4 from 'express4';
import { createRequestHandler, HandlerResponse } from '@specwright/server';
import { listenOnFreePort, withApp } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';
import { notesOptions } from './options.ts';

const TOKEN = { Authorization: 'Bearer many' };
const JSON_BODY = { method: 'POST', headers: { ...TOKEN, 'Content-Type': 'application/json' }, body: '{"text":"a"}' };

const SECOND = `paths:
  /second: { get: { operationId: second, responses: { '204': { description: done } } } }
`;

/** What an application answers to whatever nothing else does. */
const NOT_FOUND = 'the 404 page of the application';

/** Runs the script of the documentation page. @returns the server that Swagger UI sends requests to. */
async function tryItUrl(page: string, html: string): Promise<string | undefined> {
  const data = [...html.matchAll(/data-(\w+)="([^"]*)"/g)].map(([, name, text = '']) => [name, text.replaceAll('&quot;', '"')] as const);
  const assets = new URL('../../assets/', import.meta.url);
  // A script of `node:vm` imports nothing.
  const script = readFileSync(new URL('docs.js', assets), 'utf8').replaceAll('import(', 'load(');
  let url: string | undefined;
  const SwaggerUIBundle = ({ spec }: { spec: { servers: { url: string }[] } }) => {
    url = spec.servers[0]?.url;
    return { initOAuth: () => undefined };
  };
  const ignore = () => undefined;
  const classList = { toggle: ignore };
  const document = {
    baseURI: page,
    documentElement: { classList },
    getElementById: () => ({ dataset: Object.fromEntries(data) as object, addEventListener: ignore }),
  };
  // Modules of the page run in this context.
  Object.assign(globalThis, {
    MutationObserver: class {
      observe = ignore;
    },
    localStorage: { getItem: () => null },
  });
  await runInNewContext(script, {
    document,
    SwaggerUIBundle,
    fetch,
    URL,
    URLSearchParams,
    location: { search: '' },
    window: {},
    matchMedia: () => ({ matches: false, addEventListener: ignore }),
    // The sidebar makes elements, which are not here.
    load: (name: string) =>
      name.endsWith('/sidebar.js') ? { sidebarPlugin: ignore } : (import(new URL(name, assets).href) as Promise<object>),
  });
  return url;
}

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
])('in %s', (_, express) => {
  const start = async (build: (app: Express) => Promise<unknown>) => {
    const app = express();
    await build(app);
    app.use((_request, response) => void response.status(404).send(NOT_FOUND));
    return listenOnFreePort(createHttpServer(app));
  };

  const app = withApp(() =>
    start(async (main) => {
      const api = createRequestHandler(await notesOptions({ docs: true }));
      main.use('/v1', api);
      const inner = express.Router();
      inner.use('/inner', api);
      main.use('/outer/:name', inner);
      const sub = express();
      sub.use('/api', api);
      main.use('/sub', sub);
    }),
  );

  describe.each(['/v1', '/outer/a%20b/inner', '/sub/api'])('at %s', (mount) => {
    const get = async (path: string, init: RequestInit = { headers: TOKEN }) => {
      const response = await fetch(app.url + mount + path, init);
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
    };

    test('Location and links are below it', async () => {
      expect((await get('/notes', JSON_BODY)).headers).toMatchObject({ location: `${mount}/notes/7` });
      const { headers } = await get('/notes?limit=1');
      expect(headers['link']).toMatch(new RegExp(`^<${mount}/notes\\?limit=1&cursor=[\\w-]+>; rel="next"$`));
      const next = await fetch(new URL(/<(.*)>/.exec(headers['link'] ?? '')?.[1] ?? '', app.url), { headers: TOKEN });
      expect(await next.json()).toMatchObject([{ id: 2 }]);
      const successor = (await get('/notes/1', { method: 'DELETE', headers: TOKEN })).headers['link'];
      expect(successor).toBe(`<${mount}/notes/1>; rel="successor-version"`);
    });

    test('the published contract names it as its server', async () => {
      expect(JSON.parse((await get('/openapi.json')).text)).toMatchObject({ servers: [{ url: mount }] });
      expect((await get('/openapi.yaml')).text).toContain(`servers:\n  - url: ${mount}\n`);
    });

    test('the first page links to what is there, with and without a slash at the end', async () => {
      for (const path of ['', '/']) {
        const { text } = await get(path, { headers: { Accept: 'text/html' } });
        const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link).filter((link) => !link.startsWith('data:'));
        expect(links).toContain(`${mount}/docs`);
        for (const link of links) expect((await fetch(new URL(link, app.url + mount + path))).status).toBe(200);
      }
      expect(JSON.parse((await get('/')).text)).toMatchObject({ documentation: `${mount}/docs`, liveness: `${mount}/livez` });
    });

    test('the catalog of contracts names what is below it', async () => {
      const { headers, text } = await get('/.well-known/api-catalog');
      expect(headers['link']).toBe(`<${mount}/.well-known/api-catalog>; rel="api-catalog"`);
      const { linkset } = JSON.parse(text) as { linkset: [Record<string, string | { href: string }[]>] };
      const { anchor, ...links } = linkset[0];
      expect(anchor).toBe(`${mount}/`);
      const hrefs = Object.values(links).flatMap((list) => (typeof list === 'string' ? [] : list.map(({ href }) => href)));
      expect(hrefs).toHaveLength(4);
      for (const href of hrefs) expect((await fetch(new URL(href, app.url))).status).toBe(200);
    });

    test('the files of the documentation load, and "Try it" sends requests to it', async () => {
      const page = `${app.url}${mount}/docs`;
      const html = await (await fetch(page)).text();
      const files = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, file = '']) => new URL(file, page).href);
      expect(files).toHaveLength(7);
      for (const file of files) expect((await fetch(file)).status).toBe(200);
      expect(await tryItUrl(page, html)).toBe(app.url + mount);
    });

    test('an error names the whole path', async () => {
      expect(JSON.parse((await get('/none')).text)).toMatchObject({ message: `there is no ${mount}/none` });
    });
  });

  describe('unmatched: next', () => {
    const other = withApp(() =>
      start(async (main) => {
        const api = createRequestHandler({ ...(await notesOptions({ docs: true })), unmatched: 'next' });
        main.use(api);
        main.get('/', (_request, response) => void response.send('home'));
        main.get('/pages/:name', (request, response) => void response.send(`page ${request.params.name}`));
        main.put('/notes', (request, response) => void response.send(`own ${request.method} ${request.originalUrl}`));
      }),
    );
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(other.url + path, init);
      return [response.status, await response.text()];
    };

    test('a path or method that the contract does not have is the application’s', async () => {
      expect(await ask('/')).toEqual([200, 'home']);
      expect(await ask('/pages/a?b')).toEqual([200, 'page a']);
      expect(await ask('/notes?a=b', { method: 'PUT' })).toEqual([200, 'own PUT /notes?a=b']);
      expect(await ask('/none')).toEqual([404, NOT_FOUND]);
      expect(await ask('/notes', { method: 'PATCH' })).toEqual([404, NOT_FOUND]);
      expect(await ask('/%zz')).toEqual([404, NOT_FOUND]);
    });

    test('nothing of the contract is on its response', async () => {
      const { headers } = await fetch(`${other.url}/pages/a`);
      expect([headers.get('X-Request-Id'), headers.get('X-RateLimit-Limit')]).toEqual([null, null]);
    });

    test('what the contract has is answered, and so are the probes and the contract', async () => {
      expect((await ask('/notes/1', { headers: TOKEN }))[0]).toBe(200);
      expect((await ask('/notes/9', { headers: TOKEN }))[0]).toBe(404);
      expect((await ask('/notes/1'))[0]).toBe(401);
      expect(await ask('/notes', { method: 'OPTIONS' })).toEqual([204, '']);
      for (const path of ['/livez', '/openapi.json', '/docs']) expect((await ask(path))[0]).toBe(200);
    });
  });

  describe('two handlers', () => {
    const both = withApp(() =>
      start(async (main) => {
        main.use('/v1', createRequestHandler(await notesOptions({ metrics: { maxAgeMs: 0 } })));
        main.use('/v2', createRequestHandler(await notesOptions({ metrics: { maxAgeMs: 0 } })));
        // At one path: the second has what the first leaves.
        const first = createRequestHandler({ ...(await notesOptions()), unmatched: 'next' });
        main.use('/same', first, createRequestHandler(await optionsOf(SECOND, { handlers: { second: () => HandlerResponse.reply(204) } })));
      }),
    );

    test('each answers below its own path, and counts its own requests', async () => {
      for (const [mount, times] of [
        ['/v1', 2],
        ['/v2', 1],
      ] as const) {
        for (let i = 0; i < times; i++) expect((await fetch(`${both.url}${mount}/notes/1`, { headers: TOKEN })).status).toBe(200);
        const metrics = await (await fetch(`${both.url}${mount}/metrics`)).text();
        expect(metrics).toMatch(new RegExp(`request_duration_seconds_count\\{.*http_route="/notes/\\{id\\}".*\\} ${times}\n`));
      }
    });

    test('the second is asked for what the first does not have', async () => {
      expect((await fetch(`${both.url}/same/notes/1`, { headers: TOKEN })).status).toBe(200);
      expect((await fetch(`${both.url}/same/second`)).status).toBe(204);
      expect(await (await fetch(`${both.url}/same/none`)).json()).toMatchObject({ message: 'there is no /same/none' });
    });
  });
});

test('a listener of node:http that is given no next handler answers what it does not have', async () => {
  const api = createRequestHandler({ ...(await notesOptions()), unmatched: 'next' });
  const { url, close } = await listenOnFreePort(createHttpServer(api));
  expect((await fetch(`${url}/none`)).status).toBe(404);
  await close();
});
