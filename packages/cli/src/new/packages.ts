/** The package.json of a new project, and its lock: what this one has, without what only this service needs. */
import type { Files } from './files.ts';

type Versions = Record<string, string>;

export interface Manifest {
  name: string;
  version: string;
  private: true;
  description: string;
  scripts: Record<string, string>;
  allowScripts: Record<string, boolean>;
  dependencies: Versions;
  devDependencies: Versions;
  [field: string]: unknown;
}

interface Locked {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
  peerDependencies?: Versions;
  [field: string]: unknown;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, Locked>;
  [field: string]: unknown;
}

/** What only a package that is published has. */
const NOT_OURS = ['bin', 'files', 'license'];
const NOT_SCRIPTS = ['new', 'prepack', 'postpack'];

/**
 * The manifest of a project. A script stays if the file that it runs is there; a package stays if the project imports it, or
 * if nobody does: those are tools.
 *
 * @param before the texts of this checkout, to tell what is a tool; @param files what the project has.
 */
export function manifestOf(own: Manifest, before: Iterable<string>, files: Files, name: string, title: string): Manifest {
  const had = [...before].join('\n');
  const has = [...files.values()].join('\n');
  const needed = (dependency: string) => {
    const bare = dependency.startsWith('@types/') ? dependency.slice('@types/'.length) : dependency;
    const named = new RegExp(`['"]${bare.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}['"/]`);
    return named.test(has) || !named.test(had);
  };
  const kept = (versions: Versions) => Object.fromEntries(Object.entries(versions).filter(([dependency]) => needed(dependency)));
  const scripts = Object.entries(own.scripts).filter(([script, command]) => {
    const program = /\b((?:src|scripts|bench)\/[\w/.-]+\.(?:ts|mjs))\b/.exec(command)?.[1];
    const slow = script === 'test:slow' && ![...files.keys()].some((path) => path.endsWith('.slow.ts'));
    return !NOT_SCRIPTS.includes(script) && !slow && (program === undefined || files.has(program));
  });
  const manifest = {
    ...own,
    name,
    version: '0.1.0',
    description: title,
    scripts: Object.fromEntries(scripts),
    dependencies: kept(own.dependencies),
    devDependencies: kept(own.devDependencies),
  };
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !NOT_OURS.includes(field))) as Manifest;
}

/** The lock of a manifest that asks for no more than the one that the lock was made for: the same versions. */
export function lockOf(own: Lock, manifest: Manifest): Lock {
  const { name, version, dependencies, devDependencies } = manifest;
  const root = Object.fromEntries(Object.entries(own.packages[''] ?? {}).filter(([field]) => !NOT_OURS.includes(field)));
  const packages: Record<string, Locked> = { '': { ...root, name, version, dependencies, devDependencies } };
  const waiting = [''];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const entry = packages[from] ?? {};
    const wanted = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const dependency of Object.keys(wanted)) {
      const path = locate(own, from, dependency);
      if (path === undefined || packages[path] !== undefined) continue;
      packages[path] = own.packages[path] ?? {};
      waiting.push(path);
    }
  }
  const inOrder = Object.keys(own.packages).flatMap((path) => (packages[path] === undefined ? [] : [[path, packages[path]] as const]));
  return { ...own, name, version, packages: Object.fromEntries(inOrder) };
}

/** As Node finds it: in the package's own node_modules, else further up. */
function locate({ packages }: Lock, from: string, dependency: string): string | undefined {
  const parts = from === '' ? [] : from.split('/node_modules/');
  for (let depth = parts.length; depth >= 0; depth--) {
    const path = [...parts.slice(0, depth), `${depth === 0 ? 'node_modules/' : ''}${dependency}`].join('/node_modules/');
    if (packages[path] !== undefined) return path;
  }
  return undefined;
}

/** Whether a package is locked at all, so that what is said of its scripts means something. */
export const isLocked = ({ packages }: Lock, name: string): boolean =>
  Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`));
