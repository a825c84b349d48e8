/** `GET /`, and what pages have in common. Loaded when one is asked for. */
import { readFile } from 'node:fs/promises';
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

/** JSON, or HTML for clients that prefer it, as browsers do (RFC 9110, section 12.5.1). */
export const indexPage =
  (contracts: readonly ServedContract[], served: ServedPages): Step =>
  (exchange) => {
    const { base, headers, request } = exchange;
    headers.append('Vary', 'Accept');
    if (prefersHtml(request.headers.accept)) return sendPage(toHtml(contracts, served, base))(exchange);
    send(exchange, { status: 200, headers, type: 'application/json', body: toJson(contracts, served, base) });
  };

const pathsOf = (base: string) => ({ contract: `${base}/openapi.yaml`, contractAsJson: `${base}/openapi.json` });

/** @param mount what precedes the paths of the server in a URL. */
function toJson(contracts: readonly ServedContract[], served: ServedPages, mount: string): object {
  const describe = ({ title, version, base }: ServedContract) => ({ title, version, ...pathsOf(mount + base) });
  const [only, ...others] = contracts;
  const pages = { liveness: `${mount}/livez`, readiness: `${mount}/readyz`, ...(served.metrics && { metrics: `${mount}/metrics` }) };
  const docs = served.docs && { documentation: `${mount}/docs` };
  if (only === undefined || others.length > 0) return { services: contracts.map(describe), ...docs, ...pages };
  const { title, version, ...paths } = describe(only);
  return { title, version, ...docs, ...paths, ...pages };
}

/** What people read in place of a name that programs read. */
const LABELS: Readonly<Record<string, string>> = { contractAsJson: 'contract as JSON' };

/** Links begin with the mount path: the page is at `/v1` and at `/v1/`, from where relative ones lead to two places. */
function toHtml(contracts: readonly ServedContract[], { docs, metrics }: ServedPages, mount: string): string {
  const link = ([name, path = '']: readonly [string, string | undefined]) =>
    `<li><span>${LABELS[name] ?? name}</span> <a href="${escapeHtml(mount + path)}">${escapeHtml(mount + path)}</a></li>`;
  const list = (paths: Readonly<Record<string, string | undefined>>) => Object.entries(paths).map(link).join('');
  const pages = { liveness: '/livez', readiness: '/readyz', ...(metrics && { metrics: '/metrics' }) };
  const documentation = docs ? { documentation: '/docs' } : {};
  const heading = ({ title, version }: ServedContract) => `<h1>${escapeHtml(`${title} ${version}`)}</h1>`;
  const [first] = contracts;
  const body =
    contracts.length === 1 && first !== undefined
      ? `${heading(first)}<ul>${list({ ...documentation, ...pathsOf(first.base), ...pages })}</ul>`
      : `${contracts.map((contract) => `${heading(contract)}<ul>${list(pathsOf(contract.base))}</ul>`).join('')}<ul>${list({ ...documentation, ...pages })}</ul>`;
  return page(
    contracts.map(({ title }) => title).join(', '),
    `<link rel="icon" href="data:,"><link rel="stylesheet" href="${escapeHtml(mount)}/index.css">`,
    `<main>${body}</main>`,
  );
}

/** Whether HTML has more weight than JSON. A client that accepts every type gets JSON. */
function prefersHtml(accept = ''): boolean {
  const weight = (type: string): number => {
    const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type);
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1);
  };
  return weight('text/html') > weight('application/json');
}
