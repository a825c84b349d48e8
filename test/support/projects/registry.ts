/** A registry of npm on this machine, and a copy of the checkout from which the packages are published to it. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listenOnFreePort } from 'specwright/testing';

const TOOLS = resolve('test/gates/registry/node_modules');
/** Installs what `importTool` needs. */
export const INSTALL_REGISTRY = 'npm ci --prefix test/gates/registry';
export const isRegistryInstalled = (): boolean => existsSync(join(TOOLS, 'publint'));

/** A module of test/gates/registry. */
export const importTool = (path: string): Promise<unknown> => import(pathToFileURL(join(TOOLS, path)).href);

/** Packages without the scope. */
const OURS = ['specwright', 'openapi-compare'];

/** What the packages are built from: the folders of the checkout but what was built, with its dependencies. */
export async function copyCheckout(target: string): Promise<void> {
  // The tests of a template are a part of it.
  const built = /^packages[/\\][^/\\]+[/\\](dist|test)$|[/\\]node_modules$/;
  for (const path of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'llms.txt',
    'llms-full.txt',
    'scripts',
    'packages',
    'examples',
    'docs',
  ])
    await cp(path, join(target, path), { recursive: true, filter: (from) => !built.test(from) });
  const modules = join(target, 'node_modules');
  await mkdir(join(modules, '@specwright'), { recursive: true });
  for (const name of await readdir('node_modules'))
    if (!name.startsWith('.') && !name.includes('specwright') && !OURS.includes(name))
      await symlink(resolve('node_modules', name), join(modules, name));
  for (const name of await readdir('node_modules/@specwright'))
    await symlink(join(target, 'packages', name), join(modules, '@specwright', name));
  for (const name of OURS) await symlink(join(target, 'packages', name), join(modules, name));
}

export interface Registry {
  /** Makes npm use it, and publish to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** What npm publishes, and what it gets: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
interface Packument {
  readonly versions: Readonly<Record<string, object>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/**
 * A registry on loopback: what is published to it is there, and all others come from `upstream`.
 *
 * @param folder of its settings for npm. @param names of the packages that are ours: `upstream` is not asked for them.
 */
export async function startRegistry(folder: string, upstream: string, names: readonly string[]): Promise<Registry> {
  const published = new Map<string, Packument>();
  const tarballs = new Map<string, Buffer>();
  const send = (response: ServerResponse, status: number, body: Buffer | object) =>
    response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));

  function publish(name: string, { _attachments: attachments, ...packument }: Packument): void {
    for (const [file, { data }] of Object.entries(attachments)) tarballs.set(`${name}/-/${file}`, Buffer.from(data, 'base64'));
    const versions = { ...published.get(name)?.versions, ...packument.versions };
    published.set(name, { ...packument, versions, _attachments: {} });
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = await fetch(new URL(request.url ?? '', upstream), { headers: { accept: request.headers.accept ?? '*/*' } });
    const body = Buffer.from(await found.arrayBuffer());
    const isJson = found.headers.get('content-type')?.includes('json') === true;
    // Their tarballs come from here, too.
    send(response, found.status, isJson ? Buffer.from(body.toString().replaceAll(upstream, `${url}/`)) : body);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '', upstream).pathname).slice(1);
    const [name = ''] = path.split('/-/');
    if (!names.includes(name)) return pass(request, response);
    if (request.method === 'PUT') {
      publish(name, JSON.parse(Buffer.concat((await request.toArray()) as Buffer[]).toString()) as Packument);
      return void send(response, 201, {});
    }
    const found = tarballs.get(path) ?? published.get(path);
    send(response, found === undefined ? 404 : 200, found ?? {});
  }

  const server = createServer(
    (request, response) => void answer(request, response).catch((error: unknown) => send(response, 500, { error: String(error) })),
  );
  const { url, close } = await listenOnFreePort(server);
  await writeFile(join(folder, 'npmrc'), `registry=${url}/\n${url.replace('http:', '')}/:_authToken=anyone\n`);
  return { env: { npm_config_userconfig: join(folder, 'npmrc'), npm_config_cache: join(folder, 'cache') }, close };
}

/** The folder of the Node that runs the rehearsal: `REHEARSAL_NODE` is the program of another one. */
export const nodeFolder = (): string => dirname(process.env['REHEARSAL_NODE'] ?? process.execPath);
