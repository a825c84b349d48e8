/** `GET /docs`: a page to read the contract and to try it, Swagger UI from disk. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocsLogin } from './docs-login.ts';
import type { Endpoints, ServedContract } from './endpoints.ts';
import type { Step } from '../pipeline/exchange.ts';
import { send } from '../pipeline/send-response.ts';
import { sendStaticContent, staticContent, type StaticContent } from './static-content.ts';

/** The page loads nothing from another origin, and must not be shown in a frame. @param origins to which its script may send requests. */
const policy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const OWN_FILES = fileURLToPath(new URL('../../../assets', import.meta.url));

/** `docs.js` and the modules that it imports. */
const SCRIPTS = [
  'docs.js',
  'accessibility.js',
  'advice.js',
  'changes.js',
  'contract.js',
  'created.js',
  'errors.js',
  'sections.js',
] as const;

/** The files of `swagger-ui-dist` that are served. */
export const SWAGGER_UI_FILES = ['favicon-32x32.png', 'oauth2-redirect.js', 'swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** The URL of a built module, in whose folder `swagger-ui/` has `SWAGGER_UI_FILES`; not there when the sources run. */
declare const SPECWRIGHT_BUILD: string | undefined;

/** Where Swagger UI is: in the build, or installed; `undefined` if it is not. */
export function findSwaggerUi(): string | undefined {
  const built = typeof SPECWRIGHT_BUILD === 'undefined' ? undefined : fileURLToPath(new URL('swagger-ui', SPECWRIGHT_BUILD));
  if (built !== undefined && existsSync(built)) return built;
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return undefined;
  }
}

/** What makes pages load themselves again. */
interface DocsReload {
  /** Of the contracts: another text for others. */
  readonly version: string;
  /** Tells pages of it. */
  readonly sendChanges: Step;
}

export interface DocsPageOptions {
  readonly login: DocsLogin;
  /** In development. */
  readonly reload: DocsReload | undefined;
  /** The `operationId`s that are not shown. */
  readonly omit: readonly string[] | undefined;
}

/**
 * The page and its files, each read when it is first asked for. They are not counted against the limits: one page is a dozen requests.
 *
 * @param swaggerUi the folder of `swagger-ui-dist`.
 */
export function docsPage(
  contracts: readonly ServedContract[],
  swaggerUi: string,
  { login, reload, omit = [] }: DocsPageOptions,
): Endpoints {
  const title = contracts.map((contract) => contract.title).join(', ');
  // The script of the page offers them as a menu.
  const named = contracts.map(({ base, title: name, version, changelog }) => ({
    base,
    name: `${name} ${version}`,
    ...(changelog !== undefined && { changelog: changelogPath(base).slice(1) }),
  }));
  const listed = escapeHtml(JSON.stringify(named));
  const styles = ['swagger-ui', 'docs'].map((name) => `<link rel="stylesheet" href="docs/${name}.css">`).join('');
  const scripts = ['swagger-ui-bundle', 'docs', ...(reload ? ['reload'] : [])]
    .map((name) => `<script src="docs/${name}.js"></script>`)
    .join('');
  const version = reload ? ` data-version="${escapeHtml(reload.version)}"` : '';
  const html = page(
    title,
    `<link rel="icon" href="docs/favicon.png">${styles}`,
    `<div id="docs" data-contracts="${listed}" data-oauth="${escapeHtml(JSON.stringify(login.oauth))}" data-omit="${escapeHtml(JSON.stringify(omit))}"${version}></div>${scripts}`,
  );
  // The provider sends the browser here, in the window of the log-in: its script hands the code to the page that opened it.
  const redirect = page('Log-in', '<link rel="icon" href="favicon.png">', '<script src="oauth2-redirect.js"></script>');
  return new Map([
    ['/docs', sendPage(html, login.origins)],
    ['/docs/oauth2-redirect', sendPage(redirect)],
    ['/docs/oauth2-redirect.js', sendFile(join(swaggerUi, 'oauth2-redirect.js'), 'text/javascript; charset=utf-8')],
    ['/docs/docs.css', sendFile(join(OWN_FILES, 'docs.css'), 'text/css; charset=utf-8')],
    ...SCRIPTS.map(script),
    ...(reload ? ([['/docs/changes', reload.sendChanges], script('reload.js')] as const) : []),
    ...contracts.flatMap(({ base, changelog }) =>
      changelog === undefined ? [] : [[changelogPath(base), sendFile(changelog, 'application/json')] as const],
    ),
    ['/docs/favicon.png', sendFile(join(swaggerUi, 'favicon-32x32.png'), 'image/png')],
    ['/docs/swagger-ui.css', sendFile(join(swaggerUi, 'swagger-ui.css'), 'text/css; charset=utf-8')],
    ['/docs/swagger-ui-bundle.js', sendFile(join(swaggerUi, 'swagger-ui-bundle.js'), 'text/javascript; charset=utf-8')],
  ]);
}

const script = (name: string) => [`/docs/${name}`, sendFile(join(OWN_FILES, name), 'text/javascript; charset=utf-8')] as const;

const changelogPath = (base: string): string => `/docs/changelog${base}.json`;

export const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<title>${escapeHtml(title)}</title>${head}</head><body>${body}</body></html>\n`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** @param origins others than its own to which its script may send requests. */
export const sendPage =
  (html: string, origins: readonly string[] = []): Step =>
  (exchange) => {
    const { headers } = exchange;
    headers.merge({ 'Content-Security-Policy': policy(origins), 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-cache' });
    send(exchange, { status: 200, headers, type: 'text/html; charset=utf-8', text: html });
  };

export function sendFile(path: string, type: string): Step {
  let reading: Promise<StaticContent> | undefined;
  return async (exchange) => {
    reading ??= readFile(path).then(staticContent);
    // It may be there the next time.
    const content = await reading.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    sendStaticContent(exchange, content, type);
  };
}
