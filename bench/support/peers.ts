/** Installs the peers with `npm install`, once for each package.json, in a folder that is not committed. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE } from './compile.ts';
import type { ServerEntry } from './running-server.ts';

const SOURCE = fileURLToPath(new URL('../peers/', import.meta.url));
/** Where the peers' programs are, once they were copied. */
const PEERS = join(CACHE, 'peers');
/** The package.json that was installed. */
const INSTALLED = join(PEERS, 'node_modules', '.installed.json');

export const peerModule = (name: string): string => join(PEERS, `${name}.js`);

/** Copies the peers' programs. Those that need only packages of this project run without an installation. */
export function copyPeers(): void {
  mkdirSync(PEERS, { recursive: true });
  for (const file of readdirSync(SOURCE)) if (file !== 'node_modules') cpSync(join(SOURCE, file), join(PEERS, file));
}

/** Does nothing if no server needs packages. @throws Error if npm fails: a comparison with fewer peers is not made instead. */
export function installPeers(entries: readonly ServerEntry[]): void {
  if (entries.every(({ packages = [] }) => packages.length === 0)) return;
  const manifest = join(PEERS, 'package.json');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(manifest, 'utf8')) return;
  console.error('npm install of the peers');
  // Without what `npm run` has set: it would make npm keep to this project's .npmrc, and fall silent.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, error, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: PEERS, env, encoding: 'utf8' });
  if (status !== 0) {
    const reason = (error?.message ?? stderr).trim().split('\n').slice(-12).join('\n');
    throw new Error(
      `The peers in bench/peers cannot be installed. Check that npm reaches its registry, or use --check, which needs none.\n${reason}`,
    );
  }
  cpSync(manifest, INSTALLED);
}

/** @returns a sentence with the packages of servers and the versions that were installed; none, if they have no packages. */
export function peerVersions(entries: readonly ServerEntry[]): string[] {
  const names = [...new Set(entries.flatMap(({ packages = [] }) => packages))].sort();
  const versions = names.map((name) => {
    const manifest = readFileSync(join(PEERS, 'node_modules', name, 'package.json'), 'utf8');
    return `${name} ${(JSON.parse(manifest) as { version: string }).version}`;
  });
  return versions.length === 0 ? [] : [`${versions.join(', ')}.`];
}
