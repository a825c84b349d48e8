/** The page at /docs beside plain Swagger UI and Scalar: bytes, and the time until an operation can be opened, in Chromium. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../test/browser/find-chromium.ts';
import { largeDocument } from '../test/browser/large-document.ts';
import { serveDocument } from '../test/browser/serve-document.ts';

const SCALAR = '@scalar/api-reference@1.46.4';
const CACHE = '.cache/bench';
const ROUNDS = 5;
const TIMEOUT_MS = 60_000;

export const help = `npm run bench -- docs

Opens the page at /docs of the pet store and of documents with 300 and 1,000 operations ${ROUNDS} times each, in turn with plain Swagger UI and Scalar.
Scalar is fetched from npm. About 3 minutes.`;

/** A page, and what of it is there once an operation can be opened. */
interface Page {
  readonly name: string;
  readonly url: string;
  readonly operation: string;
}

interface Load {
  readonly ms: number;
  readonly kilobytes: number;
}

export async function run(): Promise<number> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('there is no Chromium: npm ci --prefix test/browser/chromium');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  // Its limits need a store, which no page needs.
  const petStore = { ...(JSON.parse(readFileSync('generated/document.json', 'utf8')) as object), 'x-rate-limit-plans': undefined };
  const documents: [string, object][] = [
    ['pet store', petStore],
    ['300 operations', largeDocument(300)],
    ['1,000 operations', largeDocument(1000)],
  ];
  console.log('| Document | Page | KB, gzip | ms until an operation can be opened, median | slowest |\n|---|---|---|---|---|');
  try {
    for (const [name, document] of documents) await compare(browser, name, document);
  } finally {
    await browser.close();
  }
  return 0;
}

async function compare(browser: Browser, name: string, document: object): Promise<void> {
  const own = await serveDocument(document);
  const others = await serveOthers(document);
  const base = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  const pages: Page[] = [
    { name: '/docs', url: `http://127.0.0.1:${own.port}/docs`, operation: '.opblock-summary-control' },
    { name: 'Swagger UI', url: `${base}/swagger.html`, operation: '.opblock-summary-control' },
    { name: 'Scalar', url: `${base}/scalar.html`, operation: '.section-container, .references-section, [id*="/get/"], [id*="/GET/"]' },
  ];
  const loads = new Map<Page, Load[]>(pages.map((page) => [page, []]));
  try {
    for (let round = 0; round <= ROUNDS; round++)
      for (const page of pages) {
        const load = await open(browser, page);
        // The first one warms the servers.
        if (round > 0) loads.get(page)?.push(load);
      }
  } finally {
    others.close();
    others.closeAllConnections();
    await own.stop();
  }
  for (const [page, measured] of loads) {
    const times = measured.map(({ ms }) => ms).sort((a, b) => a - b);
    const kilobytes = Math.round(measured[0]?.kilobytes ?? NaN);
    console.log(
      `| ${name} | ${page.name} | ${kilobytes} | ${Math.round(times[times.length >> 1] ?? NaN)} | ${Math.round(times.at(-1) ?? NaN)} |`,
    );
  }
}

/** In a separate context, so that nothing is cached. The time ends when the operation is there and the browser is idle. */
async function open(browser: Browser, { url, operation }: Page): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(operation).first().waitFor();
  const ms = Number(await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(performance.now())))'));
  await context.close();
  return { ms, kilobytes: bytes / 1000 };
}

/** Static pages, compressed, as a cache at the edge would have them. */
async function serveOthers(document: object): Promise<Server> {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const html = (head: string, body: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title>${head}</head><body>${body}</body></html>`;
  const swaggerScript = "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui' })";
  const files = new Map<string, readonly [type: string, content: string | Buffer]>([
    ['/openapi.json', ['application/json', JSON.stringify(document)]],
    [
      '/swagger.html',
      [
        'text/html',
        html(
          '<link rel="stylesheet" href="swagger-ui.css">',
          `<div id="ui"></div><script src="swagger-ui-bundle.js"></script><script>${swaggerScript}</script>`,
        ),
      ],
    ],
    ['/swagger-ui.css', ['text/css', readFileSync(join(swagger, 'swagger-ui.css'))]],
    ['/swagger-ui-bundle.js', ['text/javascript', readFileSync(join(swagger, 'swagger-ui-bundle.js'))]],
    [
      '/scalar.html',
      [
        'text/html',
        html(
          '',
          '<div id="app"></div><script src="scalar.js"></script><script>Scalar.createApiReference("#app", { url: "openapi.json", withDefaultFonts: false })</script>',
        ),
      ],
    ],
    ['/scalar.js', ['text/javascript', readFileSync(scalarFile())]],
  ]);
  const compressed = new Map([...files].map(([path, [type, content]]) => [path, [type, gzipSync(content)] as const]));
  const server = createServer((request, response) => {
    const file = compressed.get(request.url ?? '');
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': file[0], 'Content-Encoding': 'gzip' }).end(file[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Fetched once. */
function scalarFile(): string {
  const file = join(CACHE, 'package/dist/browser/standalone.js');
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', SCALAR], { cwd: CACHE, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', packed, 'package/dist/browser/standalone.js'], { cwd: CACHE });
  return file;
}
