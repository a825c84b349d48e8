/** Installs the peers with `npm ci`, once for each lock file, in a folder that is not committed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE, SERVERS } from './servers.ts';

const SOURCE = fileURLToPath(new URL('../../peers/', import.meta.url));
/** Where the peers' programs are, once they were copied. */
export const PEERS = join(CACHE, 'peers');
/** Holds the digest of the lock file that was installed. */
const STAMP = join(PEERS, 'node_modules', '.installed');

export class InstallError extends Error {}

/** Copies the peers' programs. Those that need only packages of this project run without an installation. */
export function copyPeers(): void {
  mkdirSync(PEERS, { recursive: true });
  for (const file of readdirSync(SOURCE)) if (file !== 'node_modules') cpSync(join(SOURCE, file), join(PEERS, file));
}

/** @throws InstallError if npm fails: a comparison with fewer peers is not made instead. */
export function installPeers(progress: (text: string) => void): void {
  const digest = createHash('sha256')
    .update(readFileSync(join(PEERS, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return;
  progress('npm ci of the peers');
  // Without what `npm run` has set: it would make npm keep to this project's .npmrc, and fall silent.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, error, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PEERS, env, encoding: 'utf8' });
  if (status !== 0) {
    const reason = (error?.message ?? stderr).trim().split('\n').slice(-12).join('\n');
    throw new InstallError(
      `The peers in bench/peers cannot be installed. Check that npm reaches its registry, or use --check, which needs none.\n${reason}`,
    );
  }
  writeFileSync(STAMP, digest);
}

/** The versions that were measured, by package. */
export function peerVersions(): Record<string, string> {
  const names = new Set(SERVERS.flatMap(({ packages }) => packages));
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const manifest = readFileSync(join(PEERS, 'node_modules', name, 'package.json'), 'utf8');
      return [name, (JSON.parse(manifest) as { version: string }).version];
    }),
  );
}
