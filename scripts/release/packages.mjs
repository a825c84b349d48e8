/** The packages that are published, in the order in which they need each other. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Each after the packages that it depends on, so that one can be installed while the others are being published.
 *
 * @param {string} root of the checkout
 * @returns {{ name: string, version: string, folder: string, path: string, manifest: object }[]} `folder` is relative to the root
 * @throws Error if they depend on each other in a circle
 */
export function readPackages(root) {
  const names = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  const folders = [...names, 'conformance'].filter((folder) => existsSync(join(root, folder, 'package.json')));
  const packages = folders.sort().map((folder) => {
    const path = join(root, folder);
    const manifest = readJson(join(path, 'package.json'));
    return { name: manifest.name, version: manifest.version, folder, path, manifest };
  });
  const remaining = packages.filter(({ manifest }) => manifest.private !== true);
  const ordered = [];
  while (remaining.length > 0) {
    const at = remaining.findIndex((one) => !remaining.some(({ name }) => requires(one.manifest, name)));
    if (at === -1) throw new Error(`these packages depend on each other in a circle: ${remaining.map(({ name }) => name).join(', ')}`);
    ordered.push(...remaining.splice(at, 1));
  }
  return ordered;
}

/** Optional peers are loaded if they are there: `specwright` has the commands of packages that depend on it. */
const requires = ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }, name) =>
  dependencies[name] !== undefined || (peerDependencies[name] !== undefined && peerDependenciesMeta[name]?.optional !== true);
