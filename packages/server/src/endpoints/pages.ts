/** `GET /`, and what pages have in common. Loaded when one is asked for. */
import { readFile } from 'node:fs/promises';
import { weightsOf } from '../http/accept-encoding.ts';
import type { Step } from '../pipeline/step.ts';
import { send } from '../pipeline/send-response.ts';
import { ownFile } from './docs-files.ts';
import type { ServedContract } from './endpoints.ts';
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

export const indexStyles = (): Step => sendFile(...ownFile('index.css'));

export interface ServedPages {
  readonly docs: boolean;
  readonly metrics: boolean;
}

/** JSON, or HTML for clients that prefer it, as browsers do (RFC 9110, section 12.5.1). A client that accepts every type gets JSON. */
export const indexPage =
  (contracts: readonly ServedContract[], served: ServedPages): Step =>
  (exchange) => {
    const { base, headers, request } = exchange;
    headers.append('Vary', 'Accept');
    const index = indexOf(contracts, served, base);
    const weights = weightsOf(request.headers.accept ?? '');
    if ((weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0)) return sendPage(toHtml(index, base))(exchange);
    const { services, shared } = index;
    send(exchange, { status: 200, headers, type: 'application/json', body: services.length === 1 ? services[0] : { services, ...shared } });
  };

/** Names, and the paths that they are at. */
type Paths = Readonly<Record<string, string>>;
interface Index {
  readonly services: readonly Paths[];
  /** What is served once for several contracts; that of one is among its paths. */
  readonly shared: Paths;
}

/** @param mount what precedes the paths of the server in a URL. */
function indexOf(contracts: readonly ServedContract[], served: ServedPages, mount: string): Index {
  const services = contracts.map(({ base, title, version }) => ({
    title,
    version,
    contract: `${mount}${base}/openapi.yaml`,
    contractAsJson: `${mount}${base}/openapi.json`,
  }));
  const docs = served.docs && { documentation: `${mount}/docs` };
  const pages = { liveness: `${mount}/livez`, readiness: `${mount}/readyz`, ...(served.metrics && { metrics: `${mount}/metrics` }) };
  const [only, ...others] = services;
  if (only === undefined || others.length > 0) return { services, shared: { ...docs, ...pages } };
  const { title, version, ...paths } = only;
  return { services: [{ title, version, ...docs, ...paths, ...pages }], shared: {} };
}

/** What people read in place of a name that programs read. */
const LABELS: Readonly<Record<string, string>> = { contractAsJson: 'contract as JSON' };

/** Links begin with the mount path: the page is at `/v1` and at `/v1/`, from where relative ones lead to two places. */
function toHtml({ services, shared }: Index, mount: string): string {
  const link = ([name, path]: readonly [string, string]) =>
    `<li><span>${LABELS[name] ?? name}</span> <a href="${escapeHtml(path)}">${escapeHtml(path)}</a></li>`;
  const list = (paths: Paths) => `<ul>${Object.entries(paths).map(link).join('')}</ul>`;
  const section = ({ title, version, ...paths }: Paths) => `<h1>${escapeHtml(`${title} ${version}`)}</h1>${list(paths)}`;
  return page(
    services.map(({ title }) => title).join(', '),
    `<link rel="icon" href="data:,"><link rel="stylesheet" href="${escapeHtml(mount)}/index.css">`,
    `<main>${services.map(section).join('')}${services.length === 1 ? '' : list(shared)}</main>`,
  );
}
