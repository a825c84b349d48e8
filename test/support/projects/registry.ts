/** A registry of npm on this machine, and a copy of the checkout from which the packages are published to it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';

const TOOLS = resolve('test/gates/registry/node_modules');
/** Installs what `importTool` and `startRegistry` need. */
export const INSTALL_REGISTRY = 'npm ci --prefix test/gates/registry';
export const isRegistryInstalled = (): boolean => existsSync(join(TOOLS, 'verdaccio'));

/** A module of test/gates/registry. */
export const importTool = (path: string): Promise<unknown> => import(pathToFileURL(join(TOOLS, path)).href);

/** Packages without the scope. */
const OURS = ['specwright', 'openapi-compare'];

/** What the packages are built from: the folders of the checkout but what was built, with its dependencies. */
export async function copyCheckout(target: string): Promise<void> {
  // The tests of a template are a part of it.
  const built = /^packages[/\\][^/\\]+[/\\](dist|test)$|[/\\]node_modules$/;
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts', 'packages', 'examples'])
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
  readonly url: string;
  /** Makes npm use it, and publish to it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** Verdaccio on loopback: our packages are published to it, all others come from `upstream`. @param folder of its data */
export async function startRegistry(folder: string, upstream: string): Promise<Registry> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const ours = { access: '$all', publish: '$all' };
  const config = {
    storage: './storage',
    auth: { htpasswd: { file: './htpasswd' } },
    uplinks: { upstream: { url: upstream, timeout: '60s', maxage: '60m', max_fails: 20 } },
    packages: { '@specwright/*': ours, specwright: ours, 'create-specwright': ours, '**': { access: '$all', proxy: 'upstream' } },
    max_body_size: '50mb',
    web: { enable: false },
    log: { type: 'stdout', level: 'warn' },
  };
  // JSON is YAML.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config));
  await writeFile(join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`);
  const program = join(TOOLS, 'verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
  });
  await answers(child, `${url}-/ping`);
  return { url, env: { npm_config_userconfig: join(folder, 'npmrc'), npm_config_cache: join(folder, 'cache') }, stop: () => child.kill() };
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt++) {
    if (await fetch(url).then((response) => response.ok, () => false)) return; // prettier-ignore
    await delay(100);
  }
  child.kill();
  throw new Error(`verdaccio does not answer:\n${output}`);
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('there is no free port'));
      });
    });
  });

/** The folder of the Node that runs the rehearsal: `REHEARSAL_NODE` is the program of another one. */
export const nodeFolder = (): string => dirname(process.env['REHEARSAL_NODE'] ?? process.execPath);
